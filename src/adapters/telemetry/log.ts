/** What a server says of itself, on standard error. */
export interface Log {
  /** A warning or a bug of ours. */
  readonly error: (line: string) => void;
  /** What is worth saying from this verbosity on. */
  readonly info: (verbosity: number, message: string, facts?: Facts) => void;
  /** Is anything said at this verbosity? */
  readonly isVerbose: (verbosity: number) => boolean;
}

export type Facts = Readonly<Record<string, string | number>>;

export interface LogOptions {
  readonly format: 'text' | 'json';
  /** 0: only what matters to everybody. */
  readonly verbosity: number;
}

/** Plain lines for people, or JSON by pino, which is loaded for it; flags as component-base logs/api/v1/options.go has them. */
export async function openLog(
  { format, verbosity }: LogOptions,
  write: (text: string) => void = (text) => void process.stderr.write(text),
): Promise<Log> {
  const isVerbose = (wanted: number): boolean => wanted <= verbosity;
  if (format === 'text') {
    return {
      error: (line) => write(`${line}\n`),
      // People are told elsewhere that the server runs: what all others read they have to ask for.
      info: (wanted, message, facts = {}) => {
        if (isVerbose(Math.max(1, wanted))) write(`${[message, ...Object.entries(facts).map(pairText)].join(' ')}\n`);
      },
      isVerbose,
    };
  }
  const { default: pino } = await import('pino');
  const logger = pino(
    {
      base: null,
      messageKey: 'msg',
      timestamp: () => `,"ts":${Date.now()}`,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write },
  );
  return {
    error: (line) => logger.error(line),
    info: (wanted, message, facts = {}) => {
      if (isVerbose(wanted)) logger.info({ v: wanted, ...facts }, message);
    },
    isVerbose,
  };
}

/** `verb="list"`, `resp=200`: as klog prints what is told with a message. */
const pairText = ([name, value]: readonly [string, string | number]): string =>
  `${name}=${typeof value === 'string' ? JSON.stringify(value) : value}`;
