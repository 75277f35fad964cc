import { useState } from 'preact/hooks';
import type { WebhookModel } from '../../trace/decision-model.ts';
import type { TraceModel } from '../../trace/model.ts';
import { WebhookCard } from './webhook-card.tsx';

/** A card for each webhook, in the order considered; `focusKey` names the one to open. */
export function WebhooksPane({ model, focusKey }: { readonly model: TraceModel; readonly focusKey: string }) {
  const [withSkipped, setWithSkipped] = useState(true);
  const webhooks = model.passes
    .flatMap(({ decisions }) => decisions)
    .filter((decision): decision is WebhookModel => decision.type === 'webhook');
  const skipped = webhooks.filter(({ outcome }) => outcome === 'skipped').length;
  const shown = withSkipped ? webhooks : webhooks.filter(({ outcome }) => outcome !== 'skipped');
  if (webhooks.length === 0) return <p class="empty">No webhook was considered.</p>;
  return (
    <>
      {skipped > 0 && (
        <p class="pane-bar">
          <label>
            <input
              type="checkbox"
              checked={withSkipped}
              onChange={(event) => setWithSkipped(event.currentTarget.checked)}
            />
            {` the ${skipped} not called`}
          </label>
        </p>
      )}
      {shown.map((webhook) => (
        <WebhookCard
          key={webhook.key}
          webhook={webhook}
          isOpen={webhook.key === focusKey || isOpenAnyway(webhook)}
          isFocused={webhook.key === focusKey}
        />
      ))}
    </>
  );
}

const isOpenAnyway = ({ outcome, nearness }: WebhookModel): boolean => outcome !== 'skipped' || nearness === 'near';
