import type { ConnectionState } from '../page-source.ts';

export interface EmptyListProps {
  /** Whether the filter hides requests. */
  readonly isFiltered: boolean;
  readonly connection: ConnectionState;
}

/** The reason for an empty list, and what to do. */
export function EmptyList({ isFiltered, connection }: EmptyListProps) {
  if (isFiltered) return <p class="empty">No request passes the filter.</p>;
  if (connection === 'connecting') return <p class="empty">Connecting …</p>;
  if (connection === 'file') return <p class="empty">This file holds no request.</p>;
  return <Welcome />;
}

const Welcome = () => (
  <div class="empty welcome">
    <p>kadmit is ready. There are no requests yet.</p>
    <ol>
      <li>
        In another terminal, run the line with <code>export KUBECONFIG=</code> that kadmit printed when it started.
      </li>
      <li>
        Apply the webhook configurations or policies that you want to understand:
        <code class="command">kubectl apply -f webhooks.yaml</code>
      </li>
      <li>
        Write something they are meant for:
        <code class="command">kubectl run web --image=nginx</code>
      </li>
    </ol>
    <p>
      Each create, update, patch and delete becomes a line here. Open one to see which webhooks were called and why.
    </p>
  </div>
);
