/** What kadmit was given cannot be used: a file that is not there, a line that makes no sense. The message says what and where. */
export class ConfigError extends Error {}
