// What the benchmarks use of the product, bundled as the product is (bench/lib/build.ts).

export { createEngine, systemClock } from '../src/engine/index.ts'
export { openStore } from '../src/store/index.ts'
export { createHost } from '../src/host/index.ts'
export { RunFold } from '../src/shared/index.ts'
