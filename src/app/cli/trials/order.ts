import { readSeed, textFlag } from '../../../adapters/config/flags/common-flags.ts';
import { type OrderReport, permute } from '../../../analysis/trials/permute-request.ts';
import { describeField, describeValue } from '../../../explain/findings/describe-field.ts';
import { createPage, type Page } from '../../../explain/render/explain-page.ts';
import { mutatorCountText, participantText } from '../../../explain/render/about-decision.ts';
import type { FieldChange } from '../../../explain/trace/object-diff.ts';
import type { OrderedPair, PermutedRequest, PermutedResult } from '../../../explain/trace/permuted-request.ts';
import { asList, asObject, asString, type JsonObject, valueAt } from '../../../machinery/json/json.ts';
import { defineCommand } from '../command.ts';
import { type CommandContext } from '../command-context.ts';
import { ownTerminal, type Terminal } from '../terminal/terminal.ts';
import { oneLine, runTrials, trialFlags, trialForm, unansweredText, notCalledText } from './run-trials.ts';

/** `kadmit order SCENARIO…`: the same writes with the mutating webhooks in every order; exit code 1 when the order matters. */
export const orderCommand = defineCommand({
  name: 'order',
  group: 'Analyze',
  ...trialForm,
  purpose: 'try mutating webhooks in every order and report order dependence',
  details: [
    'Sends the writes of scenarios (kadmit record makes one) with their mutating webhooks in every order. Up to six webhooks: ' +
      'all orders; more: each pair both ways, and --samples random orders.',
    'Exit codes: 0 the order does not matter, 1 it does, or a call to a webhook of --load failed, 2 a webhook has no --to, or ' +
      'a file cannot be read.',
  ],
  flags: {
    ...trialFlags,
    samples: {
      ...textFlag('samples', 'NUMBER', 'random orders when there are too many to try all'),
      fallback: 100,
      read: readSeed,
    },
    seed: { ...textFlag('seed', 'NUMBER', 'seed of the random orders'), fallback: 1, read: readSeed },
  },
  examples: ['order scenarios/late-sidecar', 'order --load hooks.yaml --to a.io=http://localhost:8400 -f pod.yaml'],
  run: ({ args, options }, io, { createWorlds }: Pick<CommandContext, 'createWorlds'>) =>
    runTrials(
      args,
      options,
      { io, createWorlds },
      {
        command: 'order',
        run: (scenario, worlds, onProgress) => permute(scenario, worlds, { ...options, onProgress }),
        text: (reports) => orderText(reports, ownTerminal()),
        isFound: ({ requests }) =>
          requests.some(
            ({ results, unanswered }) => results.length > 1 || (unanswered.length > 0 && options.load.length > 0),
          ),
      },
    ),
});

function orderText(reports: readonly OrderReport[], terminal: Terminal): string {
  const page = createPage(terminal);
  for (const { scenario, requests } of reports) {
    page.line(scenario, 'strong');
    const several = requests.filter(
      ({ webhooks, orders, unanswered, notCalled }) =>
        (webhooks.length > 1 && orders > 1) || unanswered.length + notCalled.length > 0,
    );
    for (const request of several) requestLines(page, request);
    const others = requests.length - several.length;
    if (others > 0)
      page.item(`${countWrites(others)} no two mutating webhooks or policies: only one order is possible`, 'quiet');
    page.line('');
  }
  return page.text().trimEnd();
}

const countWrites = (count: number): string => (count === 1 ? '1 write has' : `${count} writes have`);

function requestLines(page: Page, request: PermutedRequest): void {
  const { name, webhooks, unanswered, notCalled, orders, results, pairs } = request;
  if (notCalled.length === webhooks.length) return page.item(`${name}: ${notCalledText(notCalled, webhooks)}`, 'bad');
  const isSame = results.length < 2;
  page.item(`${name}: ${resultText(request)}`, isSame && unanswered.length + notCalled.length === 0 ? 'good' : 'bad');
  if (notCalled.length > 0) page.item(notCalledText(notCalled, webhooks), 'bad', 4);
  for (const one of unanswered) page.item(unansweredText(one), 'bad', 4);
  if (isSame) return;
  for (const pair of pairs) pairLines(page, pair, results);
  const [inForce] = results;
  if (inForce) inForceLine(page, inForce, orders);
}

/** `the same in 2 orders of 2 mutating webhooks (all, 2 run)`. */
function resultText({ webhooks, unanswered, orders, ran, choice, results }: PermutedRequest): string {
  const tried = `${orders} orders of ${mutatorCountText(webhooks)} (${choice}, ${ran} run)`;
  if (results.length > 1) return `${results.length} results in ${tried}`;
  const message = unanswered.length === 0 ? (results[0]?.message ?? '') : '';
  return `the same in ${tried}${message === '' ? '' : `, refused: ${oneLine(message)}`}`;
}

const inForceLine = (page: Page, { example, orders: own }: PermutedResult, orders: number): void =>
  page.item(
    `in force: ${example.map(participantText).join(', ')} (${own} of ${orders} orders have this result)`,
    'quiet',
    4,
  );

function pairLines(page: Page, pair: OrderedPair, results: PermutedRequest['results']): void {
  const { first, second, differing, tried, changes } = pair;
  page.item(
    `order-dependent: ${participantText(first)}, ${participantText(second)} (${differing} of ${tried} orderings differ)`,
    'warn',
    4,
  );
  for (const change of changes.slice(0, maxShown)) page.item(changeText(change), 'quiet', 6);
  if (changes.length > maxShown) page.item(`and ${changes.length - maxShown} more fields`, 'quiet', 6);
  for (const index of changes.length === 0 ? pair.results : []) {
    const { code = 0, message = '', object = {} } = results[index] ?? {};
    page.item(code >= 400 ? `refused: ${oneLine(message)}` : admittedText(object), 'quiet', 6);
  }
}

/** Objects that differ in an order only, differ in that of their init containers. */
function admittedText(object: JsonObject): string {
  const podSpec = valueAt(object, 'spec', 'template', 'spec') ?? object['spec'];
  const names = asList(asObject(podSpec)['initContainers']).map((one) => asString(asObject(one)['name']));
  return names.length === 0 ? 'admitted' : `admitted, init containers: ${names.join(', ')}`;
}

const maxShown = 5;

/** `image of container web: "a" with the first before the second, "b" the other way round`. */
const changeText = ({ path, before, after }: FieldChange): string =>
  `${describeField(path)}: ${describeValue(before)} in this order, ${describeValue(after)} in the other`;
