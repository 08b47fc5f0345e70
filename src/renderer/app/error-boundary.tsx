// A view that breaks must not take unsaved text in other tabs with it: it is said, and everything else goes on.

import { Component, type ReactNode } from 'react'
import { FailureScreen } from './failure-screen.tsx'

export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null }

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error }
  }

  override render(): ReactNode {
    return this.state.error === null ? this.props.children : <FailureScreen error={this.state.error} />
  }
}
