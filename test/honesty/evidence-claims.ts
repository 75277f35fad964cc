import { form, isWebhook, checkLastWriter, checkWrites } from './check-actors.ts';
import { type Claim, didProblem, unless } from './claims.ts';
import { at, callsOf, hasEffect } from './truth.ts';
import { parsePaths } from './parse-sentence.ts';

/** The evidence of a finding. Advice is not checked. */
export const evidenceClaims: readonly Claim[] = [
  [
    form('<by> wrote (?<what>.*) last, since (?<why>.*)'),
    ({ by = '', what = '' }, truth) => checkLastWriter(by, what, truth),
  ],
  [
    form('(?<what>.*) was added by <by>'),
    ({ what = '', by = '' }, truth) => {
      if (by === 'the' || !isWebhook(by, truth)) return undefined;
      return checkWrites(by, what, truth);
    },
  ],
  [
    /^(?<what>.*) was added by (?:the client|the request|the stored object or the request)$/,
    ({ what = '' }, truth) => {
      const path = parsePaths(what)?.[0] ?? [];
      return unless(
        truth.states.some((state) => at(state, path) !== undefined),
        'nothing ever had it',
      );
    },
  ],
  [
    form('between the calls <by> (?<did>.*)'),
    ({ by = '', did = '' }, truth) => {
      const problems = callsOf(truth, by).map((call) => didProblem(did, call));
      return unless(!isWebhook(by, truth) || problems.includes(undefined), problems.join('; '));
    },
  ],
  [
    form('<by> changed the object before the call of <name>'),
    ({ by = '' }, truth) => unless(!isWebhook(by, truth) || callsOf(truth, by).some(hasEffect), 'it changed nothing'),
  ],
  [/^/, () => undefined],
];
