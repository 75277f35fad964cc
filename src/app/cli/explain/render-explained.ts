import type { Finding as TraceFinding } from '../../../explain/findings/finding.ts';
import { findingsOf } from '../../../explain/findings/findings-of.ts';
import { renderExplanation as explainTrace } from '../../../explain/render/explain.ts';
import type { TableRow } from '../../../explain/render/decision-table.ts';
import { modelOf } from '../../../explain/render/model.ts';
import { type Remedy, remediesOf } from '../../../explain/render/remedies.ts';
import { maskTrace } from '../../../explain/trace/mask.ts';
import { refusalMessage, summaryOf } from '../../../explain/trace/trace-summary.ts';
import type { Trace } from '../../../explain/trace/trace.ts';
import type { SourceLocation } from '../../../testing/scenario/format.ts';
import type { ReportedFinding } from '../../../testing/scenario/report/findings.ts';
import { sarifOf } from '../../../testing/scenario/report/sarif.ts';
import { version } from '../package-file.ts';
import type { Io, Output } from '../terminal/io.ts';
import { ownTerminal } from '../terminal/terminal.ts';

export type ExplainOutput = Output | 'sarif';

interface RenderOptions {
  readonly blame: boolean;
  readonly all: boolean;
  readonly webhook: string;
  readonly showSecrets: boolean;
}

export interface Explained {
  readonly trace: Trace;
  /** Printed when there are several. */
  readonly title: string;
  /** For SARIF: the file that was sent, or the address of the trace. */
  readonly place: SourceLocation;
}

/** Prints explanations one by one: several ones with their titles, or as a list. */
export interface Printer {
  readonly add: (explained: Explained) => void;
  readonly end: () => void;
}

export async function createPrinter(
  { output, ...options }: RenderOptions & { readonly output: ExplainOutput },
  io: Io,
): Promise<Printer> {
  if (output === 'sarif') return sarifPrinter(io);
  const form = await createForm(output, options);
  // The first waits for the second: alone it has no title.
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
    end: () => io.out(explainSarif(all)),
  };
}

interface Form {
  readonly alone: (explained: Explained) => string;
  /** For the first one, and for each of the others. */
  readonly begin: (explained: Explained) => string;
  readonly next: (explained: Explained) => string;
  readonly end?: string;
}

/** What `-o json` adds to a trace. */
interface DerivedFields {
  readonly headline: string;
  readonly findings: readonly TraceFinding[];
  /** Changes that a program can make. */
  readonly remedies: readonly Remedy[];
  /** A row for each webhook and policy. */
  readonly table: readonly Pick<TableRow, 'name' | 'result' | 'changed' | 'milliseconds'>[];
}

const toPlainRow = ({ name, result, changed, milliseconds }: TableRow): DerivedFields['table'][number] => ({
  name,
  result,
  changed,
  ...(milliseconds === undefined ? {} : { milliseconds }),
});

async function createForm(output: Output, options: RenderOptions): Promise<Form> {
  const shown = ({ trace: whole }: Explained): Trace & DerivedFields => {
    const trace = options.showSecrets ? whole : maskTrace(whole);
    const { headline, findings, table } = modelOf(trace);
    return { ...trace, headline: headline.text, findings, remedies: remediesOf(trace), table: table.map(toPlainRow) };
  };
  switch (output) {
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
        alone: (one) => renderText(one, options),
        begin: (one) => titled(one) + renderText(one, options),
        next: (one) => `\n${titled(one)}${renderText(one, options)}`,
      };
    }
  }
}

function renderText({ trace }: Explained, { blame, all, webhook, showSecrets: secrets }: RenderOptions): string {
  return explainTrace(trace, { ...ownTerminal(), blame, all, secrets, ...(webhook === '' ? {} : { webhook }) });
}

/** SARIF 2.1.0 of findings; a refusal without a finding is a result, too. */
const explainSarif = (explained: readonly Explained[]): string =>
  sarifOf(
    explained.flatMap(({ trace, place }) => toSarifFindings(maskTrace(trace), place)),
    { version: version(), folder: process.cwd(), descriptionOf },
  ).trimEnd();

function toSarifFindings(trace: Trace, place: SourceLocation): readonly ReportedFinding[] {
  const title = requestSentence(trace);
  const found = findingsOf(trace).map(({ rule, severity, title: what, evidence, remedy }) => ({
    rule: `finding/${rule}`,
    level: severity,
    title,
    message: [what, ...evidence.map(({ text }) => text), remedy].join('\n'),
    place,
  }));
  if (trace.verdict === 'admitted' || found.some(({ level }) => level === 'error')) return found;
  return [{ rule: 'refused', level: 'error', title, message: refusalMessage(trace), place }, ...found];
}

function requestSentence(trace: Trace): string {
  const { verb, resource, namespace, name, verdict } = summaryOf(trace);
  return [`${verdict}: ${verb} ${resource}`, name, namespace === '' ? '' : `in ${namespace}`]
    .filter((word) => word !== '')
    .join(' ');
}

const descriptionOf = (rule: string): string =>
  rule === 'refused'
    ? 'The request was refused'
    : `Finding in a request: docs/reference/findings.md#${rule.slice('finding/'.length)}`;
