/** The file that keeps the token of the local socket, in the data folder. */
export const TOKEN_FILE = 'token'
