/** Invalid input, such as a missing file or a malformed line. The message says what is wrong and where. */
export class ConfigError extends Error {}
