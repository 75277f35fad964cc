import { asObject, asString } from '../../src/machinery/json/json.ts';
import {
  checkDenial,
  firstOf,
  form,
  checkDropped,
  isIn,
  isNew,
  isWebhook,
  checkLastWriter,
  checkCalledTwice,
  checkWrites,
} from './check-actors.ts';
import { type Claim, didProblem, unless } from './claims.ts';
import { lastCalls, unseenProblem } from './headline-claims.ts';
import {
  callsOf,
  changes,
  type WebhookCall,
  hasEffect,
  type Path,
  policyNamed,
  type Truth,
  webhookNamed,
} from './truth.ts';
import { parsePaths } from './parse-sentence.ts';

export const findingClaims: readonly Claim[] = [
  [
    form('<name> denied in the second round what it had allowed in the first'),
    ({ name = '' }, truth) => {
      const [first, second] = lastCalls(truth, name);
      return unless(
        !isWebhook(name, truth) || (first?.outcome === 'allowed' && second?.outcome === 'denied'),
        'it did not',
      );
    },
  ],
  [
    form('<name> denied, and its message names (?<what>.*), which <by> (?:added|set)'),
    ({ name = '', what = '', by = '' }, truth) => {
      const message =
        callsOf(truth, name).find(({ outcome }) => outcome === 'denied')?.message ??
        asString(truth.played.body['message']);
      const isNamed = !isWebhook(by, truth) || (parsePaths(what) ?? []).some((path) => isIn(path, by, message, truth));
      return firstOf(
        checkDenial(name, truth),
        checkWrites(by, what, truth),
        unless(isNamed, 'the message does not name it'),
      );
    },
  ],
  [
    form('<name> may have denied because of (?<what>.*), which <by> (?:added|set): its message has these words'),
    ({ name = '', what = '', by = '' }, truth) => firstOf(checkDenial(name, truth), checkWrites(by, what, truth)),
  ],
  [
    form('<by> (?:set|wrote|removed) (?<what>.*?)(?: without .*)?, which (?:the API server refuses|is required)'),
    ({ by = '', what = '' }, truth) => {
      const isOther = truth.done.some(({ outcome }) => outcome === 'denied');
      return firstOf(
        unless(truth.played.code === 422 && !isOther, 'it was refused otherwise'),
        checkWrites(by, what, truth),
      );
    },
  ],
  [
    form('<name> added (?<what>.*) (?:twice|twice: in the first round and in the second|\\d+ times at once)'),
    ({ name = '', what = '' }, truth) => checkWrites(name, what, truth),
  ],
  [form('<name> added (?<what>.*), which existed already'), () => undefined],
  [
    form(
      '<name> added (?<what>.*?)(?: in the first round)? and (?<then>.*?)(?: in the second)?: identical except for the name',
    ),
    ({ name = '', what = '', then = '' }, truth) =>
      firstOf(checkWrites(name, what, truth), checkWrites(name, then, truth)),
  ],
  [
    form('(?<what>.*) was added by <one> and by <other>'),
    ({ what = '', one = '', other = '' }, truth) =>
      firstOf(checkWrites(one, what, truth), checkWrites(other, what, truth)),
  ],
  [
    form('<name> was skipped: its objectSelector (?:requires|excludes) (?<what>.*), which <by> (?:set|removed) later'),
    ({ name = '', what = '', by = '' }, truth) => {
      const selector = webhookNamed(truth, name)?.entry ?? asObject(policyNamed(truth, name)?.spec['matchConstraints']);
      const keys = (parsePaths(what) ?? []).map((path) => path.at(-1) ?? '');
      const isAbout = keys.every((key) => JSON.stringify(selector['objectSelector'] ?? '').includes(`"${key}"`));
      return firstOf(
        unless(callsOf(truth, name).length === 0, 'it was called'),
        unless(isAbout, 'its objectSelector is about other labels'),
        checkWrites(by, what, truth),
      );
    },
  ],
  [
    form('<name> was called before <by> added (?<what>.*), and not again: .*'),
    ({ name = '', what = '', by = '' }, truth) => unseenProblem({ name, what, by, isAlone: false }, truth),
  ],
  [
    form('<name> was called again after <by> added (?<what>.*), and (?:changed nothing|left it as it was)'),
    ({ name = '', what = '', by = '' }, truth) => firstOf(checkCalledTwice(name, truth), checkWrites(by, what, truth)),
  ],
  [
    form('<name> replaced \\S+ as a whole, which removed (?<what>.*)'),
    ({ name = '', what = '' }, truth) => checkWrites(name, what, truth),
  ],
  [
    form('<by> (?:removed|reset) (?<what>.*), which <earlier> had (?:set|changed)'),
    ({ by = '', what = '', earlier = '' }, truth) =>
      firstOf(checkWrites(by, what, truth), checkWrites(earlier, what, truth)),
  ],
  [
    form('<name> changed (?<what>.*) in the second round, which it had (?<how>set|left alone) in the first'),
    ({ name = '', what = '', how }, truth) => {
      if (!isWebhook(name, truth)) return undefined;
      const [first, second] = lastCalls(truth, name);
      const did = (call: WebhookCall | undefined, path: Path): boolean => call !== undefined && changes(call, path);
      const paths = parsePaths(what) ?? [];
      return unless(
        paths.every((path) => did(second, path) && did(first, path) === (how === 'set')),
        'it did not',
      );
    },
  ],
  [
    form(
      '<name> changed (?<hit>.*) in the second round, with the operation that had changed (?<meant>.*) in the first',
    ),
    ({ name = '', hit = '', meant = '' }, truth) =>
      firstOf(checkWrites(name, hit, truth), checkWrites(name, meant, truth)),
  ],
  [
    form('(?<what>.*) was set by <earlier> and then by <by>(?:: (?<values>.*))?'),
    ({ what = '', earlier = '', by = '' }, truth) =>
      firstOf(checkWrites(earlier, what, truth), checkWrites(by, what, truth), checkLastWriter(by, what, truth)),
  ],
  [
    form('<name> (?:restored|changed|removed|reset) (?<what>.*), which <by> had (?:set|removed)'),
    ({ what = '', by = '' }, truth) => checkWrites(by, what, truth),
  ],
  [
    form('<name> changed what the client had set: (?<what>.*?) from .* to .*'),
    ({ name = '', what = '' }, truth) => checkWrites(name, what, truth),
  ],
  [
    form('<by> removed (?<what>.*), and the API server set its default'),
    ({ what = '', by = '' }, truth) => checkWrites(by, what, truth),
  ],
  [
    form('<by> set (?<what>.*), and the API server dropped (?:it|them)'),
    ({ what = '', by = '' }, truth) => firstOf(checkWrites(by, what, truth), checkDropped(what, truth)),
  ],
  [
    form(
      '(?<went>stored|the dry run went through|the deletion(?: of \\S+)? was admitted|the request went through) without the (?<part>first |second |whole )?(?:change|check) of <name>: it failed and failurePolicy is Ignore',
    ),
    ({ went = '', part = '', name = '' }, truth) => uncheckedProblem({ went, part, name }, truth),
  ],
  [
    form('<name> was called and changed nothing; changes made later by <by> were not seen \\((?<what>.*)\\): .*'),
    ({ name = '', what = '', by = '' }, truth) =>
      firstOf(
        unless(!callsOf(truth, name).some(hasEffect), 'it changed something'),
        unseenProblem({ name, what, by, isAlone: false }, truth),
      ),
  ],
  [
    form('<name> sent a patch that changed nothing'),
    ({ name = '' }, truth) => {
      const calls = lastCalls(truth, name);
      return unless(calls.some(({ hasPatch }) => hasPatch) && !calls.some(hasEffect), 'it changed something');
    },
  ],
  [
    form('<name> was reinvoked, since <by>(?<others> and others)? (?<did>(?:added|changed|removed) .*)'),
    ({ name = '', by = '', did = '', others }, truth) => {
      const calls = truth.done.filter((one) => one.webhook === by && hasEffect(one));
      const problems = calls.map((one) => didProblem(did, one));
      const isKnown = isWebhook(by, truth) && others === '';
      const isSo = problems.length === 0 ? false : problems.includes(undefined);
      return firstOf(checkCalledTwice(name, truth), unless(!isKnown || isSo || calls.length > 1, problems.join('; ')));
    },
  ],
  [
    form(
      '<name> ran again in the second round and (?<did>.*), since <by>(?<others> and others)? (?<by2>(?:added|changed|removed) .*)',
    ),
    () => undefined,
  ],
  [form('<name> refused the request (?:by|since) .*'), (_words, truth) => unless(!truth.isAdmitted, 'it was admitted')],
  [
    form('<other> appended (?<then>.*) after (?<what>.*) of <one>'),
    ({ what = '', one = '' }, truth) => checkWrites(one, what, truth),
  ],
  [
    form('(?<what>\\S+) (?:was|were) sent, and the API server dropped (?:it|them)'),
    ({ what = '' }, truth) => checkDropped(what, truth),
  ],
];

interface Unchecked {
  readonly went: string;
  readonly part: string;
  readonly name: string;
}

function uncheckedProblem({ went, part, name }: Unchecked, truth: Truth): string | undefined {
  const policy = webhookNamed(truth, name)?.entry['failurePolicy'] ?? policyNamed(truth, name)?.spec['failurePolicy'];
  return firstOf(
    unless(truth.isAdmitted && policy === 'Ignore', 'it was refused, or has another failurePolicy'),
    isWebhook(name, truth) ? missingCallProblem(name, part, truth) : markProblem(name, part, truth),
    unless(went !== 'stored' || !truth.played.request.target.includes('dryRun'), 'it was a dry run'),
  );
}

function missingCallProblem(name: string, part: string, truth: Truth): string | undefined {
  const calls = lastCalls(truth, name);
  const hasWorked = calls.some(({ outcome }) => outcome === 'allowed');
  const isOne = part === 'first ' || part === 'second ';
  return unless(hasWorked === isOne, `its calls: ${calls.map(({ outcome }) => outcome).join()}`);
}

const markProblem = (name: string, part: string, truth: Truth): string | undefined =>
  unless(part !== '' || !name.startsWith('mp') || !isNew(truth, name), 'the object has its mark');
