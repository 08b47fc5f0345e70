// Names of the tool by which an agent hands over a structured answer, apart from the server's code, which is loaded when needed.

export const OUTPUT_TOOL = 'structured_output'
/** Of the MCP server. */
export const OUTPUT_SERVER = 'weft_output'
