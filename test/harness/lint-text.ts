import { certificateChecks } from '../../src/analysis/lint/rules/certificates.ts';
import { asList, asObject, asString, type JsonObject } from '../../src/machinery/json/json.ts';
import { readIgnoreComments, lint } from '../../src/analysis/lint/lint.ts';
import type { LintFinding } from '../../src/analysis/lint/finding.ts';
import { readLintText } from '../../src/analysis/lint/model/lint-object.ts';

/** Noon of the day on which the clock of worlds starts. */
export const lintTime = Date.UTC(2026, 0, 1, 12);

/** The findings in these objects of one file; `isWhole`: as if they were all objects of a server. */
export function lintText(text: string, isWhole = false): readonly LintFinding[] {
  const { objects, texts, problems } = readLintText('set.yaml', text);
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('\n'));
  return lint(objects, { isWhole, now: lintTime, certificates: certificateChecks, ignores: readIgnoreComments(texts) })
    .findings;
}

export const lintJson = (objects: readonly JsonObject[], isWhole = false): readonly LintFinding[] =>
  lintText(objects.map((object) => JSON.stringify(object)).join('\n---\n'), isWhole);

/** Applies the patch of a finding as `kubectl patch` does: list entries are merged by name. */
export const applyFindingPatch = (
  objects: readonly JsonObject[],
  { object, patch }: LintFinding,
): readonly JsonObject[] =>
  objects.map((one) =>
    object.endsWith(asString(asObject(one['metadata'])['name'])) && object.startsWith(asString(one['kind']))
      ? mergePatch(one, patch)
      : one,
  );

function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  return Object.entries(patch).reduce<JsonObject>((all, [field, value]) => {
    const known = all[field];
    if (field === 'webhooks' || (field === 'matchConditions' && Array.isArray(known))) {
      const changes = asList(value).map(asObject);
      const names = asList(known).map((item) => asObject(item)['name']);
      const kept = asList(known).map((item) => {
        const change = changes.find(({ name }) => name === asObject(item)['name']);
        return change ? mergePatch(asObject(item), change) : item;
      });
      return { ...all, [field]: [...kept, ...changes.filter(({ name }) => !names.includes(name))] };
    }
    return { ...all, [field]: value };
  }, target);
}
