import type { TraceSummary } from '../explain/trace/trace-summary.ts';

/**
 * Is this a write of the server's own components that tells nothing about admission? What was refused does, but for a lost
 * race with another write, and what a webhook was asked about: a ReplicaSet's Pods, say.
 */
export function isHousekeeping({ user, verdict, code, webhooks }: TraceSummary): boolean {
  const { called, denied, failed } = webhooks;
  const isSettled = verdict === 'admitted' || code === 409;
  return isSettled && called.length + denied.length + failed.length === 0 && isComponent(user);
}

/** The names under which a cluster's own programs write; service accounts of other namespaces are somebody's workload. */
const isComponent = (user: string): boolean =>
  user === 'system:apiserver' || /^system:(kube-|node:|serviceaccount:kube-system:)/.test(user);
