import type { ConditionCoverage, WebhookCoverage } from '../../trace/coverage.ts';
import { isDeleted } from '../deleted-configurations.ts';
import type { PageSource } from '../page-source.ts';
import { useLoaded } from '../use-loaded.ts';
import { plural } from '../words.ts';
import { PaneBar } from './pane-bar.tsx';

/** Which webhook, rule and condition the requests have exercised. */
export function CoveragePane({ source }: { readonly source: PageSource }) {
  const loaded = useLoaded(source.coverage);
  const changes = useLoaded(source.configurations).value ?? [];
  const webhooks = loaded.value;
  return (
    <main class="view">
      <PaneBar
        title="Coverage"
        about="What the recorded requests exercised of every webhook, from its last change of rules or conditions on."
        loaded={loaded}
        isLive={source.isLive}
      />
      {webhooks?.length === 0 && <p class="empty">No webhook has been configured.</p>}
      {webhooks !== undefined && webhooks.length > 0 && (
        <table class="coverage">
          <thead>
            <tr>
              <th scope="col">Webhook</th>
              <th scope="col">Considered</th>
              <th scope="col">Came of it</th>
              <th scope="col">Rules</th>
              <th scope="col">Conditions</th>
            </tr>
          </thead>
          <tbody>
            {webhooks.map((webhook) => (
              <WebhookRow
                key={`${webhook.phase}/${webhook.configuration}/${webhook.name}`}
                webhook={webhook}
                wasDeleted={isDeleted(webhook, changes)}
              />
            ))}
          </tbody>
        </table>
      )}
    </main>
  );
}

interface WebhookRowProps {
  readonly webhook: WebhookCoverage;
  readonly wasDeleted: boolean;
}

function WebhookRow({ webhook, wasDeleted }: WebhookRowProps) {
  const { phase, configuration, name, considered, outcomes, skippedBecause, rules, conditions } = webhook;
  const isUnused = considered === outcomes.skipped;
  return (
    <tr class={isUnused ? 'is-unused' : ''}>
      <th scope="row">
        {name}
        <span class="quiet">
          {' '}
          {phase} · {configuration}
          {wasDeleted && ', deleted since'}
        </span>
      </th>
      <td data-label="Considered">{considered.toLocaleString('en')}</td>
      <td data-label="Came of it">
        {isUnused && <span class="is-warning">never called{considered > 0 && ' · '}</span>}
        {countsText(outcomes)}
        {outcomes.skipped > 0 && <div class="quiet">skipped: {countsText(skippedBecause, skipWords)}</div>}
      </td>
      <td>
        <ul class="ticks">
          {rules.map(({ rule, matched }) => (
            <li key={rule}>
              <Tick is={matched > 0} /> {rule} <span class="quiet">{matched.toLocaleString('en')}</span>
            </li>
          ))}
        </ul>
      </td>
      <td>
        <ul class="ticks">
          {conditions.map((condition) => (
            <Condition key={condition.name} condition={condition} />
          ))}
        </ul>
      </td>
    </tr>
  );
}

/** `called 7 · skipped 311`. */
const countsText = (counts: Readonly<Record<string, number>>, words: Readonly<Record<string, string>> = {}): string =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${words[name] ?? name} ${count.toLocaleString('en')}`)
    .join(' · ');

/** The reasons of a trace, as people say them; selectors have their own names. */
const skipWords: Readonly<Record<string, string>> = {
  'no-rule-matched': 'no rule matched',
  'not-reinvoked': 'not called again',
  'matchCondition-error': 'a matchCondition failed',
  exempt: 'of a kind that no webhook sees',
};

/** A condition is exercised when it has been both true and false. */
function Condition({ condition }: { readonly condition: ConditionCoverage }) {
  const { name, expression, true: isTrue, false: isFalse, error } = condition;
  return (
    <li title={expression}>
      <Tick is={isTrue > 0 && isFalse > 0} /> {name}
      <span class="quiet">
        {` true ${isTrue}, false ${isFalse}`}
        {error > 0 && `, ${plural(error, 'error')}`}
      </span>
    </li>
  );
}

const Tick = ({ is }: { readonly is: boolean }) => (
  <span class={is ? 'tick-yes' : 'tick-no'}>
    <span aria-hidden="true">{is ? '✓' : '○'}</span>
    <span class="visually-hidden">{is ? 'exercised' : 'not exercised'}</span>
  </span>
);
