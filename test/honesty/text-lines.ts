import type { TraceModel } from '../../src/explain/render/model.ts';
import { asString } from '../../src/machinery/json/json.ts';
import { at, callsOf, changes, type Path, same, type Truth } from './truth.ts';
import { parseFieldPath } from './parse-sentence.ts';

/**
 * Every line of the text is part of the model, which is checked separately, or is checked here: no line is left
 * unchecked.
 */
export function lineProblems(text: string, model: TraceModel, truth: Truth): readonly string[] {
  const known = knownTexts(model, truth);
  const lines = text.split('\n');
  const first = verdictProblem(lines[0] ?? '', truth);
  // A message may have several lines, and so may a diff of the model.
  const rest = withoutMessages(lines.slice(1).join('\n'), model);
  return [
    ...first,
    ...rest.split('\n').flatMap((line) => {
      const bare = line.trim().replace(/^(?:! |hint: |warning: |warned: |client received: )/, '');
      if (
        bare === '' ||
        known.has(bare) ||
        [...known].some((one) => one.startsWith(bare.replace(/ …$/, '')) && bare.endsWith(' …')) ||
        [...known].some((one) => one.length > 12 && bare.endsWith(one))
      )
        return [];
      return (
        checkDroppedWarning(bare, truth) ?? checkFieldWriter(bare, truth) ?? [`a line of an unknown form: ${line}`]
      );
    }),
  ];
}

/** Removes a message of several lines, with the text around it in its first and last line. */
function withoutMessages(text: string, { verdict: { message } }: TraceModel): string {
  if (!message.includes('\n')) return text;
  const parts = message.split('\n').map((line) => line.trim());
  const isPart = (line: string): boolean => parts.some((part) => part.startsWith(line.replace(/ …$/, '').trim()));
  const [first = ''] = message.split('\n');
  return text
    .split('\n')
    .filter((line) => !line.includes(first) && !isPart(line))
    .join('\n');
}

function verdictProblem(line: string, { played, isAdmitted }: Truth): readonly string[] {
  const [, verdict, code, dry = ''] = /^(ADMITTED|REFUSED) {2}.*: (\d+) in [\d.]+ ms(, dry run)?$/.exec(line) ?? [];
  const isRight =
    (verdict === 'ADMITTED') === isAdmitted &&
    Number(code) === played.code &&
    (dry !== '') === played.request.target.includes('dryRun');
  return isRight ? [] : [`${line}: the client received ${played.code}`];
}

function knownTexts(model: TraceModel, { played }: Truth): ReadonlySet<string> {
  const decisions = model.passes.flatMap(({ decisions: all }) => all);
  const hints = decisions.flatMap((one) =>
    one.type === 'webhook'
      ? [...one.hints, ...one.advice, ...one.conditions]
      : one.type === 'policy'
        ? one.details
        : [],
  );
  return new Set([
    model.headline.text,
    ...model.headlines.flatMap(({ text, hint }) => [text, hint ?? '']),
    ...model.findings.flatMap(({ title, evidence, remedy }) => [title, remedy, ...evidence.map(({ text }) => text)]),
    ...decisions.flatMap(({ sentence, diff }) => [sentence, ...diff.map(({ sign, text }) => `${sign} ${text}`.trim())]),
    ...hints,
    ...model.passes.flatMap(({ title, reinvocation }) => [title, reinvocation ?? '']),
    ...played.warnings,
    model.verdict.message,
    asString(played.body['message']),
    'Plugins',
    'Fields set more than once',
    'its address is https://127.0.0.1:1/hook',
    `trace ${model.id}`,
  ]);
}

/** `dropped warning "careful": the client received this warning already`: a client receives each once. */
function checkDroppedWarning(line: string, { played }: Truth): readonly string[] | undefined {
  const [, warning] = /^dropped warning "(.*)": the client received this warning already$/.exec(line) ?? [];
  if (warning === undefined) return undefined;
  const all = played.calls.flatMap(({ answer }) => ('outcome' in answer ? [] : (answer.warnings ?? [])));
  const isTwice = all.filter((one) => one === warning).length > 1;
  return isTwice && played.warnings.includes(warning) ? [] : [`${line}: it was not`];
}

/** `metadata.labels.team: "web"  by webhook a (conf-a), second round`, and `before: …`; undefined for another form. */
function checkFieldWriter(line: string, truth: Truth): readonly string[] | undefined {
  if (/^before: .* {2}by /.test(line)) return [];
  const [, path = '', value = '', by = ''] = /^(\S+): (.*) {2}by (.*)$/.exec(line) ?? [];
  if (path === '') return undefined;
  const steps = parseFieldPath(path);
  return [
    ...(isStored(steps, value, truth) ? [] : [`${line}: something else is stored`]),
    ...(isWriter(steps, by, truth) ? [] : [`${line}: it did not write it`]),
  ];
}

/** Unless the value is unknown: a long value, a dry run, a deletion. */
function isStored(path: Path, value: string, { played, isAdmitted }: Truth): boolean {
  const { storedAfter, request } = played;
  const isKnown = isAdmitted && storedAfter !== undefined && !request.target.includes('dryRun');
  if (!isKnown || request.method === 'DELETE' || value.endsWith('…')) return true;
  const now = value === 'removed' ? undefined : JSON.parse(value);
  return same(at(storedAfter, path), now);
}

function isWriter(path: Path, by: string, truth: Truth): boolean {
  const [, name, second] = /^webhook (\S+) \([\w-]+\)(, second round)?$/.exec(by) ?? [];
  const round = second === undefined ? 0 : 1;
  return name === undefined || callsOf(truth, name).some((one) => one.round === round && changes(one, path));
}
