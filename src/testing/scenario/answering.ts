import type { WebhookSpec } from '../stubs/webhook-spec.ts';
import type { Scenario } from './format.ts';

/** Everybody who answers calls in a scenario: webhooks and converters. */
export const answering = ({
  webhooks,
  converters = [],
}: Pick<Scenario, 'webhooks' | 'converters'>): readonly WebhookSpec[] => [...webhooks, ...converters];
