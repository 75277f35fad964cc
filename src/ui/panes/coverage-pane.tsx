import type { WebhookCoverage } from '../../explain/trace/coverage.ts';
import { isDeleted } from '../deleted-configurations.ts';
import type { PageSource } from '../page-source.ts';
import { useLoaded } from '../use-loaded.ts';
import { countsText, Expression, skipWords, Tick } from './coverage-parts.tsx';
import { PaneBar } from './pane-bar.tsx';
import { PolicyTable } from './policy-coverage-table.tsx';

/** Which webhooks, rules, policies and expressions the requests have exercised. */
export function CoveragePane({ source }: { readonly source: PageSource }) {
  const loaded = useLoaded(source.coverage);
  const changes = useLoaded(source.configurations).value ?? [];
  const { webhooks, policies } = loaded.value ?? {};
  return (
    <main class="view">
      <PaneBar
        title="Coverage"
        about="What the recorded requests exercised of every webhook and policy, from its last change on."
        loaded={loaded}
        isLive={source.isLive}
      />
      {webhooks?.length === 0 && policies?.length === 0 && (
        <p class="empty">No webhook and no policy has been configured.</p>
      )}
      {webhooks !== undefined && webhooks.length > 0 && (
        <table class="coverage" aria-label="Webhooks">
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
      {policies !== undefined && policies.length > 0 && <PolicyTable policies={policies} />}
    </main>
  );
}

interface WebhookRowProps {
  readonly webhook: WebhookCoverage;
  readonly wasDeleted: boolean;
}

function WebhookRow({ webhook, wasDeleted }: WebhookRowProps) {
  const { phase, configuration, name, considered, outcomes, skippedBecause, rules, conditions } = webhook;
  const isUnused = considered === outcomes.skipped + outcomes.assumed;
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
            <Expression key={condition.name} expression={condition} />
          ))}
        </ul>
      </td>
    </tr>
  );
}
