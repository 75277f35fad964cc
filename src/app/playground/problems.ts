import type { LintFinding } from '../../analysis/lint/finding.ts';
import type { LintObject } from '../../analysis/lint/model/lint-object.ts';
import { asList, asObject, asString, type JsonObject, valueAt } from '../../machinery/json/json.ts';
import type { SourceLocation } from '../../testing/scenario/format.ts';
import { placeText, type Problem } from '../../testing/scenario/read/problems.ts';
import type { RefusedManifest } from '../../testing/scenario/store-manifests.ts';
import type { PlaygroundProblem, PlaygroundTab, PlaygroundTexts } from './protocol.ts';

/** Offsets of places in the texts of the tabs. */
export interface Offsets {
  readonly at: (place: SourceLocation) => number;
  /** From the place to the end of its line. */
  readonly rangeAt: (place: SourceLocation) => Pick<PlaygroundProblem, 'tab' | 'from' | 'to'>;
}

export function createOffsets(texts: PlaygroundTexts): Offsets {
  const lines = {
    objects: startsOf(texts.objects),
    webhooks: startsOf(texts.webhooks),
    requests: startsOf(texts.requests),
  };
  const at = ({ file, line, column }: SourceLocation): number => {
    const tab = tabOf(file);
    return Math.min((lines[tab][line - 1] ?? 0) + column - 1, texts[tab].length);
  };
  return {
    at,
    rangeAt: (place) => {
      const tab = tabOf(place.file);
      const from = at(place);
      const end = texts[tab].indexOf('\n', from);
      const line = texts[tab].slice(from, end < 0 ? undefined : end);
      return { tab, from, to: from + Math.max(line.trimEnd().length, 0) };
    },
  };
}

function startsOf(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

const tabOf = (file: string): PlaygroundTab => (file === 'webhooks' || file === 'requests' ? file : 'objects');

export const problemAt = (
  place: SourceLocation,
  code: string,
  message: string,
  { rangeAt }: Offsets,
): PlaygroundProblem => ({ ...rangeAt(place), severity: 'error', code, message });

export const readingProblem = ({ place, message }: Problem, code: string, offsets: Offsets): PlaygroundProblem =>
  problemAt(place, code, message, offsets);

const severities = { error: 'error', warning: 'warning', note: 'info' } as const;

export const lintProblem = (
  { rule, severity, title, harm, remedy, place }: LintFinding,
  offsets: Offsets,
): PlaygroundProblem => ({
  ...problemAt(place, rule, `${title}. Harm: ${harm}. Instead: ${remedy}`, offsets),
  severity: severities[severity],
});

/** One problem for each cause, at its field. */
export function refusalProblems(
  refusals: readonly RefusedManifest[],
  objects: readonly LintObject[],
  offsets: Offsets,
): readonly PlaygroundProblem[] {
  const byPlace = new Map(objects.map((object) => [placeText(object.placesOf([])[0]), object]));
  return refusals.flatMap((refusal) => problemsOf(refusal, byPlace.get(placeText(refusal.manifest.place)), offsets));
}

function problemsOf(
  { manifest: { place }, answer, message }: RefusedManifest,
  refused: LintObject | undefined,
  offsets: Offsets,
): readonly PlaygroundProblem[] {
  const placeOf = (field: string): SourceLocation => refused?.placesOf(pathOf(field)).at(-1) ?? place;
  const causes = causesIn(answer?.body ?? {});
  if (causes.length === 0) return [problemAt(place, 'refused', message, offsets)];
  return causes.map(({ field, text }) => problemAt(placeOf(field), 'refused', text, offsets));
}

interface Cause {
  readonly field: string;
  readonly text: string;
}

function causesIn(status: JsonObject): readonly Cause[] {
  const causes = asList(valueAt(status, 'details', 'causes')).map(asObject);
  if (causes.length > 0) {
    return causes.map(({ field, message }) => ({
      field: asString(field),
      text: `${asString(field)}: ${asString(message)}`,
    }));
  }
  // `strict decoding error: unknown field "spec.a", unknown field "spec.b"`
  return [...asString(status['message']).matchAll(/(?:unknown|duplicate) field "([^"]+)"/g)].map(
    ([text, field = '']) => ({ field, text }),
  );
}

/** `webhooks[0].rules` and `metadata.labels[a.b/c]`. */
const pathOf = (field: string): readonly (string | number)[] =>
  [...field.matchAll(/[^.[\]]+|(?<=\[)[^\]]*/g)].map(([step]) => (/^\d+$/.test(step) ? Number(step) : step));

/** Warnings of the types of a policy's expressions. */
export function typeProblems(
  policy: JsonObject,
  { placesOf }: LintObject,
  offsets: Offsets,
): readonly PlaygroundProblem[] {
  return asList(valueAt(policy, 'status', 'typeChecking', 'expressionWarnings'))
    .map(asObject)
    .map(({ fieldRef, warning }) => ({
      ...problemAt(
        placesOf(pathOf(asString(fieldRef))).at(-1) ?? placesOf([])[0],
        'type-check',
        asString(warning),
        offsets,
      ),
      severity: 'warning' as const,
    }));
}
