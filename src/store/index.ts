// The store's own door: what other folders may use of it.
export * from './store.ts'
export { StoreError, type StoreErrorCode } from './errors.ts'
export { checkDatabase, openStore, salvageDatabase } from './open-store.ts'
