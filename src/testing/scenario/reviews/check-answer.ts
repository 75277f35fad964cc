import { sameJson } from '../../../machinery/json/json-equal.ts';
import { isJsonObject } from '../../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';
import { readScriptAnswer } from '../../stubs/script-answer.ts';
import type { ScriptAnswer } from '../../stubs/script-answer.ts';
import { checkTexts, expectedText, textMatches } from '../expect/text.ts';
import { yamlText } from '../expect/yaml-text.ts';
import type { Failure } from '../outcome.ts';
import type { Located } from '../read/located.ts';
import { createProblems } from '../read/problems.ts';
import { scalarText } from '../read/scalar-text.ts';
import { readText } from '../read/text-expectation.ts';

type ReadVerdict = Extract<ScriptAnswer, { outcome: 'read' }>;

/** `denied with 403: no privileged containers`, or `allowed, 2 operations, 1 warning`. */
export function answerText({ denial, operations, warnings }: ReadVerdict): string {
  if (denial) {
    const { code = 403, message } = denial;
    return `denied with ${scalarText(code)}${typeof message === 'string' ? `: ${message}` : ', without a message'}`;
  }
  const count = (number: number, word: string): readonly string[] =>
    number === 0 ? [] : [`${number} ${word}${number === 1 ? '' : 's'}`];
  return ['allowed', ...count(operations.length, 'operation'), ...count(warnings.length, 'warning')].join(', ');
}

/**
 * Compares an answer with the one wanted, which is written like a `response`, or a whole AdmissionReview: only what is
 * there counts. `patch` may be the operations instead of their base64; texts may be patterns.
 */
export function checkAnswer(wanted: Located, answer: ReadVerdict): readonly Failure[] {
  const response = wanted.get('response') ?? wanted;
  const reading = readScriptAnswer(response.value);
  if (reading.outcome === 'unreadable' || !isJsonObject(response.value)) {
    return [{ what: 'expected', place: wanted.place, message: 'is no response of an AdmissionReview' }];
  }
  const decision = checkAllowed(response, answer);
  if (decision.length > 0) return decision; // What else differs follows from that.
  return [
    ...checkStatus(response.get('status'), answer),
    ...(response.get('patch') ? checkPatch(response, reading, answer) : []),
    ...checkWarnings(response.get('warnings'), answer),
    ...checkAudit(response.get('auditAnnotations'), answer),
  ];
}

function checkAllowed(response: Located, answer: ReadVerdict): readonly Failure[] {
  const at = response.get('allowed');
  const allowed = answer.denial === undefined;
  if (!at || at.value === allowed) return [];
  const wanted = at.value === true ? 'it was to be allowed' : 'it was to be denied';
  return [{ what: 'allowed', place: at.keyPlace, message: `${wanted}, and is ${answerText(answer)}` }];
}

function checkStatus(at: Located | undefined, { denial = {} }: ReadVerdict): readonly Failure[] {
  return (at?.entries() ?? []).flatMap(([name, wanted]) => {
    const has = denial[name];
    const problems = createProblems();
    if (typeof wanted.value === 'string' || isJsonObject(wanted.value)) {
      const text = readText(wanted, problems);
      if (typeof has === 'string' && textMatches(text, has)) return [];
      const message = `${expectedText(text)} was expected, and ${has === undefined ? 'there is none' : `it is ${shown(has)}`}`;
      return [{ what: `status.${name}`, place: wanted.place, message }];
    }
    if (sameJson(wanted.value, has ?? null)) return [];
    const message = `${shown(wanted.value)} was expected, and ${has === undefined ? 'there is none' : `it is ${shown(has)}`}`;
    return [{ what: `status.${name}`, place: wanted.place, message }];
  });
}

const shown = (value: JsonValue): string => JSON.stringify(value);

function checkPatch(response: Located, wanted: ReadVerdict, { operations }: ReadVerdict): readonly Failure[] {
  if (sameJson(wanted.operations, operations)) return [];
  const place = response.get('patch')?.keyPlace ?? response.place;
  const message = 'it sent another patch';
  return [{ what: 'patch', place, message, expected: yamlText(wanted.operations), actual: yamlText(operations) }];
}

function checkWarnings(at: Located | undefined, { warnings }: ReadVerdict): readonly Failure[] {
  if (!at) return [];
  const wanted = at.items().map((item) => readText(item, createProblems()));
  return checkTexts(wanted, warnings, { what: 'warnings', place: at.keyPlace });
}

function checkAudit(at: Located | undefined, { auditAnnotations }: ReadVerdict): readonly Failure[] {
  const has: JsonObject = auditAnnotations;
  return (at?.entries() ?? []).flatMap(([name, wanted]) => {
    const text = readText(wanted, createProblems());
    const value = has[name];
    if (typeof value === 'string' && textMatches(text, value)) return [];
    const message = `${name}: ${expectedText(text)} was expected, and ${value === undefined ? 'there is none' : `it is ${shown(value)}`}`;
    return [{ what: 'auditAnnotations', place: wanted.keyPlace, message }];
  });
}
