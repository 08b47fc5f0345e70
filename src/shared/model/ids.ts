// Ids that cross a boundary are branded, so that one can't be given where another is meant.

declare const brand: unique symbol
type Branded<Base, Name extends string> = Base & { readonly [brand]: Name }

/** A run: 26 characters, sortable by time of creation (ULID). */
export type RunId = Branded<string, 'RunId'>
/** A call's place in the tree of scopes, e.g. `/pipeline:0/item:3/agent:1`. */
export type CallPath = Branded<string, 'CallPath'>
/** SHA-256 (hex) over the canonical JSON of an agent call's prompt and its options without `label` and `phase`. */
export type CallKey = Branded<string, 'CallKey'>
/** SHA-256 (hex) of a script's text as written. */
export type ScriptHash = Branded<string, 'ScriptHash'>
/** An agent's number in its run, from 1, in the order of the calls. */
export type AgentNumber = Branded<number, 'AgentNumber'>

// The casts are the one place where a checked or freshly made value gets its brand.
export const asRunId = (value: string): RunId => value as RunId
export const asCallPath = (value: string): CallPath => value as CallPath
export const asCallKey = (value: string): CallKey => value as CallKey
export const asScriptHash = (value: string): ScriptHash => value as ScriptHash
export const asAgentNumber = (value: number): AgentNumber => value as AgentNumber
