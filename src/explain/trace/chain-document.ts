import type { AssumedVerdict, ServerCertificate } from '../../apiserver/admission/webhooks/call.ts';

/** The answer of `POST /kadmit/v1/chain`: who would be asked about a request, in order. */
export interface ChainDocument {
  readonly chainVersion: 1;
  readonly steps: readonly ChainStep[];
}

/** The answer of `GET /kadmit/v1/chain`: what can be asked about. */
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
  /** Of a webhook its configuration, of a policy its binding; empty otherwise. */
  readonly within: string;
  /** `depends`: on the object, which is not known, or on a policy's matchConditions. `refuses`: without being asked. */
  readonly outcome: 'asked' | 'depends' | 'skipped' | 'refuses';
  /** The clause that decides, a sentence for each; empty for who is asked. */
  readonly because: readonly string[];
  /** Of webhooks and policies. */
  readonly failurePolicy?: string;
  readonly reinvocationPolicy?: string;
  /** Of webhooks. */
  readonly timeoutSeconds?: number;
  /** Of webhooks of a Service: `NAMESPACE/NAME`. */
  readonly service?: string;
  /** Of webhooks that may be asked. */
  readonly health?: ChainHealth;
  /** Of webhooks that nobody runs: what `--assume` says to take for their answer. */
  readonly assumed?: AssumedVerdict;
}

/** Whether a backend can be reached, as far as its certificate. */
export interface ChainHealth {
  readonly outcome: 'reachable' | 'unreachable';
  /** Where it was reached. */
  readonly address?: string;
  /** How far it came, and why no further. */
  readonly phase?: string;
  readonly error?: string;
  readonly certificate?: ServerCertificate;
}

/** One webhook of `GET /kadmit/v1/backends`, whatever it is asked about. */
export interface Backend {
  readonly phase: 'mutating' | 'validating';
  readonly name: string;
  /** Its configuration. */
  readonly within: string;
  readonly failurePolicy: string;
  readonly health?: ChainHealth;
  readonly assumed?: AssumedVerdict;
}
