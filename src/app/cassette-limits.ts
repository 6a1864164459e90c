/** No recording is larger; what is, is not read. */
export const maxCassetteBytes = 256 * 1024 * 1024
