import type { AssumedVerdict, ServerCertificate } from '../../apiserver/admission/webhooks/call.ts';

/** The response of `POST /kadmit/v1/chain`: the steps of a request, in order. */
export interface ChainDocument {
  readonly chainVersion: 1;
  readonly steps: readonly ChainStep[];
}

/** The response of `GET /kadmit/v1/chain`: the resources to choose from. */
export interface ChainChoices {
  readonly resources: readonly ChainResource[];
}

export interface ChainResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
}

export interface ChainStep {
  readonly phase: 'mutating' | 'validating';
  readonly type: 'plugin' | 'webhook' | 'policy';
  readonly name: string;
  /** Of a webhook its configuration, of a policy its binding; otherwise empty. */
  readonly within: string;
  /** `depends`: on the unknown object, or on matchConditions of a policy. `refuses`: without a call. */
  readonly outcome: 'called' | 'depends' | 'skipped' | 'refuses';
  /** The deciding clauses, a sentence each; empty for a call. */
  readonly because: readonly string[];
  /** Of webhooks and policies. */
  readonly failurePolicy?: string;
  readonly reinvocationPolicy?: string;
  /** Of webhooks. */
  readonly timeoutSeconds?: number;
  /** `NAMESPACE/NAME`, of webhooks with a Service. */
  readonly service?: string;
  /** Of webhooks that may be called. */
  readonly health?: ChainHealth;
  /** The response that `--assume` gives for a webhook. */
  readonly assumed?: AssumedVerdict;
}

/** Whether a backend is reachable, TLS handshake included. */
export interface ChainHealth {
  readonly outcome: 'reachable' | 'unreachable';
  /** The address that was reached. */
  readonly address?: string;
  /** The phase and error of a failed connection. */
  readonly phase?: string;
  readonly error?: string;
  readonly certificate?: ServerCertificate;
}

/** One webhook of `GET /kadmit/v1/backends`. */
export interface ChainBackend extends Pick<ChainStep, 'phase' | 'name' | 'within' | 'health' | 'assumed'> {
  readonly failurePolicy: string;
}
