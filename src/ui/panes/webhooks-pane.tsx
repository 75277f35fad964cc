import { useState } from 'preact/hooks';
import type { WebhookModel } from '../../explain/render/decision-model.ts';
import type { TraceModel } from '../../explain/render/model.ts';
import { plural } from '../words.ts';
import { WebhookCard } from './webhook-card.tsx';

/** A card for each webhook, in the order considered; `focusKey` names the one to open. */
export function WebhooksPane({ model, focusKey }: { readonly model: TraceModel; readonly focusKey: string }) {
  const webhooks = model.passes
    .flatMap(({ decisions }) => decisions)
    .filter((decision): decision is WebhookModel => decision.type === 'webhook');
  const far = webhooks.filter(isFar);
  const [withFar, setWithFar] = useState(far.length <= mostFar || far.some(({ key }) => key === focusKey));
  const shown = withFar ? webhooks : webhooks.filter((webhook) => !isFar(webhook));
  if (webhooks.length === 0) return <p class="empty">No webhook was considered.</p>;
  return (
    <>
      {far.length > 0 && (
        <p class="pane-bar">
          <label>
            <input type="checkbox" checked={withFar} onChange={(event) => setWithFar(event.currentTarget.checked)} />
            {` also ${plural(far.length, 'decision')} about webhooks that were not meant for this, or not again`}
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

const mostFar = 12;

const isFar = ({ nearness }: WebhookModel): boolean => nearness === 'far';

const isOpenAnyway = ({ outcome, nearness }: WebhookModel): boolean => outcome !== 'skipped' || nearness === 'near';
