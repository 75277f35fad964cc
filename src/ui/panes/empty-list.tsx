import type { ConnectionState } from '../page-source.ts';

export interface EmptyListProps {
  /** Whether the filter hides requests. */
  readonly isFiltered: boolean;
  readonly connection: ConnectionState;
}

/** The reason for an empty list, and what to do. */
export function EmptyList({ isFiltered, connection }: EmptyListProps) {
  if (isFiltered) return <p class="empty">No request matches the filter.</p>;
  if (connection === 'connecting') return <p class="empty">Connecting …</p>;
  if (connection === 'file') return <p class="empty">This file contains no requests.</p>;
  return <Welcome />;
}

const steps = [
  [
    'In another terminal, set KUBECONFIG as kadmit printed it when it started:',
    'export KUBECONFIG=$PWD/.kadmit/kubeconfig',
  ],
  ['Apply your webhook configurations or policies:', 'kubectl apply -f webhooks.yaml'],
  [
    'Route the Service of a webhook to the program on this machine:',
    'kadmit map NAMESPACE/SERVICE=https://127.0.0.1:8443',
  ],
  ['Create an object that they match:', 'kubectl run web --image=nginx'],
] as const;

const Welcome = () => (
  <div class="empty welcome">
    <h2>No requests yet</h2>
    <p>Each create, update, patch and delete is listed here, with the webhooks that were called or skipped, and why.</p>
    <ol>
      {steps.map(([text, command]) => (
        <li key={command}>
          {text}
          <code class="command">{command}</code>
        </li>
      ))}
    </ol>
    <p>
      Or start the server and your webhook together: <code>kadmit dev -f webhooks.yaml -- node webhook.js</code>
    </p>
  </div>
);
