/** Invalid input, such as a missing file or a malformed line. The message says what is wrong and where. */
export class ConfigError extends Error {}

/** An error on which kube-apiserver exits too: its last line and exit code. */
export class StartFailure extends ConfigError {
  readonly exitCode: 1 | 255;

  constructor(line: string, exitCode: 1 | 255) {
    super(line);
    this.exitCode = exitCode;
  }
}

/** The line of a failed command as klog writes it. Follows component-base cli/run.go and klog internal/serialize. */
export function commandFailed(error: string): StartFailure {
  const value = error.includes('\n') ? `<\n${indent(error)}\n >` : JSON.stringify(error);
  return new StartFailure(`"command failed" err=${value}`, 1);
}

const indent = (text: string): string =>
  text
    .split('\n')
    .map((line) => `\t${line}`)
    .join('\n');
