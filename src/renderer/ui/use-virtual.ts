// The one place that calls TanStack Virtual.

import { useVirtualizer, type ReactVirtualizerOptions, type Virtualizer } from '@tanstack/react-virtual'

type Scroller = HTMLDivElement
type Row = HTMLElement

export type VirtualOptions = Pick<
  ReactVirtualizerOptions<Scroller, Row>,
  'count' | 'getScrollElement' | 'estimateSize'
> &
  Partial<ReactVirtualizerOptions<Scroller, Row>>

export function useVirtual(options: VirtualOptions): Virtualizer<Scroller, Row> {
  // oxlint-disable-next-line react/incompatible-library -- it is about React Compiler, which this build does not use
  return useVirtualizer<Scroller, Row>(options)
}
