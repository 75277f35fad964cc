import { asList, asObject, asString, isJsonObject, type JsonObject } from '../../machinery/json/json.ts';
import { requestFields, nonEmptyObject, requestCase } from './admission-request.ts';
import { constraintPolicy } from './gator-template.ts';
import type { ImportedCase, ImportedTest } from './imported-test.ts';
import { objectGroup, isServed, kindOf, nonEmptyTexts, importedTitle } from './objects.ts';
import { failureExpectation } from './policies.ts';
import { readRelative } from './read-documents.ts';

export const isGatorSuite = (object: JsonObject): boolean =>
  objectGroup(object) === 'test.gatekeeper.sh' && kindOf(object) === 'Suite';

export function importGatorSuite(
  file: string,
  suite: JsonObject,
  extra: readonly JsonObject[],
): readonly ImportedTest[] {
  return asList(suite['tests']).map((test) => importTest(file, asObject(test), extra));
}

function importTest(file: string, test: JsonObject, extra: readonly JsonObject[]): ImportedTest {
  const notes: string[] = [];
  const name = asString(test['name']);
  const nothing = (because: string): ImportedTest => ({
    name,
    from: file,
    load: [],
    cases: [],
    notes: [...notes, `${name}: ${because}: left out`],
  });
  if (test['skip'] === true) return nothing('it is skipped');
  if (test['invalid'] === true) return nothing('it is about a constraint that Gatekeeper refuses');
  const [template] = readRelative(file, nonEmptyTexts([test['template'] ?? '']), notes);
  const [constraint] = readRelative(file, nonEmptyTexts([test['constraint'] ?? '']), notes);
  if (template === undefined || constraint === undefined) return nothing('it has no template or constraint');
  const made = constraintPolicy(template, constraint);
  if ('because' in made) return nothing(made.because);
  if (test['expansion'] !== undefined)
    notes.push(`${name}: what an ExpansionTemplate makes of an object is checked by Gatekeeper only`);
  const load = [...extra, ...made.load];
  const cases = asList(test['cases']).flatMap((one) =>
    importCase(file, asObject(one), { load, policy: made.policy, notes }),
  );
  return { name, from: file, load, cases, notes };
}

interface SuiteContext {
  readonly load: readonly JsonObject[];
  readonly policy: string;
  readonly notes: string[];
}

function importCase(file: string, test: JsonObject, { load, policy, notes }: SuiteContext): readonly ImportedCase[] {
  const name = asString(test['name']);
  const leave = (because: string): readonly ImportedCase[] => {
    notes.push(`${name}: ${because}: left out`);
    return [];
  };
  if (test['skip'] === true) return leave('it is skipped');
  const [read] = readRelative(file, nonEmptyTexts([test['object'] ?? '']), notes);
  if (read === undefined) return leave('it has no object');
  if (nonEmptyTexts(test['inventory']).length > 0)
    return leave('it reads other objects (inventory), which CEL cannot do');
  const request = kindOf(read) === 'AdmissionReview' ? asObject(read['request']) : { object: read };
  const [object, oldObject] = [nonEmptyObject(request['object']), nonEmptyObject(request['oldObject'])];
  const subject = object ?? oldObject;
  if (subject !== undefined && !isServed(subject, load))
    return leave(
      `${importedTitle(subject)} needs the CustomResourceDefinition of ${objectGroup(subject)}, give it with --load`,
    );
  const made = requestCase(
    {
      name,
      ...requestFields(request, { object, oldObject }),
      object,
      oldObject,
    },
    {
      expect: expectViolations(asList(test['assertions']).filter(isJsonObject), { load, policy, notes }),
      definitions: load,
      notes,
    },
  );
  return 'because' in made ? leave(made.because) : [made];
}

/** A violation is a refusal. A server reports the first one only, not how many there are. */
function expectViolations(assertions: readonly JsonObject[], { load, policy, notes }: SuiteContext): JsonObject {
  const violated = assertions.filter(
    ({ violations }) => violations !== 'no' && violations !== false && violations !== 0,
  );
  if (violated.length === 0) return { outcome: 'admitted' };
  if (violated.some(({ violations }) => typeof violations === 'number' && violations > 1))
    notes.push('the number of violations is not checked: a server reports the first');
  const message = violated.map((one) => asString(one['message'])).find((text) => text !== '');
  const expect = failureExpectation(policy, load);
  return message === undefined || expect['deniedBy'] === undefined
    ? expect
    : { ...expect, message: `/${message.replaceAll('/', '\\/')}/` };
}
