// Where text goes: stdout or stderr, written in full before the process ends, quiet once nobody reads any more.

export interface Output {
  readonly isTty: boolean
  /** The reader is gone: writing goes nowhere. */
  readonly closed: boolean
  /** Columns of the terminal; Infinity when there is none. */
  columns(): number
  /** Lines of the terminal; Infinity when there is none. */
  rows(): number
  write(text: string): void
  /** The text as one or more whole lines. */
  line(text: string): void
  /** Resolves when everything written has left the process. Rejects when it can't, for another reason than a reader gone. */
  flush(): Promise<void>
  /** For what draws on the terminal by itself. */
  readonly stream: NodeJS.WritableStream
}

// A pipe whose reader ended, a terminal that was closed, a stream that was ended.
const READER_GONE = new Set(['EPIPE', 'EIO', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'])

/** A stream that may be a terminal. */
type MaybeTerminal = NodeJS.WritableStream & {
  isTTY?: boolean | undefined
  columns?: number | undefined
  rows?: number | undefined
}

/** Wraps process.stdout or process.stderr. */
export function createOutput(stream: MaybeTerminal): Output {
  let closed = false
  let failure: Error | undefined
  stream.on('error', (error: NodeJS.ErrnoException) => {
    closed = true
    if (!READER_GONE.has(error.code ?? '')) failure ??= error
  })
  const isTty = stream.isTTY === true
  const output: Output = {
    stream,
    isTty,
    get closed() {
      return closed
    },
    columns: () => (isTty && stream.columns ? stream.columns : Infinity),
    rows: () => (isTty && stream.rows ? stream.rows : Infinity),
    write(text) {
      if (!closed) stream.write(text)
    },
    line: (text) => output.write(text.endsWith('\n') ? text : `${text}\n`),
    async flush() {
      // The call-back of a write runs after everything before it was handed to the system, or has failed.
      if (!closed) await new Promise<void>((done) => void stream.write('', () => done()))
      if (failure) throw failure
    },
  }
  return output
}
