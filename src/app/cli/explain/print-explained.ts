import { explain as explainTrace } from '../../../explain/render/explain.ts';
import { findingsOf } from '../../../explain/findings/findings-of.ts';
import type { Finding } from '../../../explain/findings/finding.ts';
import { maskTrace } from '../../../explain/trace/mask.ts';
import type { Trace } from '../../../explain/trace/trace.ts';
import type { Io } from '../terminal/io.ts';
import { ownTerminal } from '../terminal/terminal.ts';
import type { Place } from '../../../testing/scenario/format.ts';
import { version } from '../version.ts';
import type { ExplainOptions } from './explain-options.ts';
import { explainSarif } from './explain-sarif.ts';

export interface Explained {
  readonly trace: Trace;
  /** Of several: which one it is. */
  readonly title: string;
  /** What reports point at: the file that was sent, or where the trace is to be had. */
  readonly place: Place;
}

/** Prints explanations as they come: one alone as it is, several with their titles, or as a list. */
export interface Printer {
  readonly add: (explained: Explained) => void;
  readonly end: () => void;
}

/** Loads what it prints with, before the first. */
export async function createPrinter(options: ExplainOptions, io: Io): Promise<Printer> {
  if (options.output === 'sarif') return sarifPrinter(io);
  const form = await formOf({ ...options, output: options.output });
  // The first waits until it is known whether it is the only one.
  let first: Explained | undefined;
  let count = 0;
  return {
    add: (explained) => {
      count += 1;
      if (count === 1) {
        first = explained;
        return;
      }
      if (first) io.out(form.begin(first));
      first = undefined;
      io.out(form.next(explained));
    },
    end: () => {
      if (first) io.out(form.alone(first));
      else if (form.end !== undefined) io.out(form.end);
    },
  };
}

function sarifPrinter(io: Io): Printer {
  const all: Explained[] = [];
  return {
    add: (explained) => all.push(explained),
    end: () => io.out(explainSarif(all, { version: version(), folder: process.cwd() }).trimEnd()),
  };
}

type FormOptions = ExplainOptions & { readonly output: Exclude<ExplainOptions['output'], 'sarif'> };

/** How explanations are written down. */
interface Form {
  readonly alone: (explained: Explained) => string;
  /** The first of several, and each of the others. */
  readonly begin: (explained: Explained) => string;
  readonly next: (explained: Explained) => string;
  readonly end?: string;
}

async function formOf(options: FormOptions): Promise<Form> {
  const shown = ({ trace: whole }: Explained): Trace & { readonly findings: readonly Finding[] } => {
    const trace = options.showSecrets ? whole : maskTrace(whole);
    return { ...trace, findings: findingsOf(trace) };
  };
  switch (options.output) {
    case 'json': {
      const item = (one: Explained): string => JSON.stringify([shown(one)], null, 2).slice(2, -2);
      return {
        alone: (one) => JSON.stringify(shown(one), null, 2),
        begin: (one) => `[\n${item(one)}`,
        next: (one) => `,\n${item(one)}`,
        end: ']',
      };
    }
    case 'yaml': {
      const { stringify } = await import('yaml');
      const item = (one: Explained): string => stringify([shown(one)]).trimEnd();
      return { alone: (one) => stringify(shown(one)).trimEnd(), begin: item, next: item };
    }
    case 'text': {
      const titled = (one: Explained): string => `${ownTerminal().paint('strong', `# ${one.title}`)}\n`;
      return {
        alone: (one) => inWords(one, options),
        begin: (one) => titled(one) + inWords(one, options),
        next: (one) => `\n${titled(one)}${inWords(one, options)}`,
      };
    }
  }
}

function inWords({ trace }: Explained, { blame, all, webhook, showSecrets: secrets }: ExplainOptions): string {
  return explainTrace(trace, { ...ownTerminal(), blame, all, secrets, ...(webhook === '' ? {} : { webhook }) });
}
