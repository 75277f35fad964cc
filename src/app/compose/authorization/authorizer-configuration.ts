/** One entry of the chain of authorizers. Follows apiserver pkg/apis/apiserver/types.go. */
export interface AuthorizerConfiguration {
  readonly type: string;
  readonly name: string;
  readonly webhook: WebhookConfiguration | undefined;
}

/** Times in milliseconds. */
export interface WebhookConfiguration {
  readonly authorizedTTL: number;
  readonly cacheAuthorizedRequests: boolean;
  readonly unauthorizedTTL: number;
  readonly cacheUnauthorizedRequests: boolean;
  readonly timeout: number;
  readonly subjectAccessReviewVersion: string;
  readonly matchConditionSubjectAccessReviewVersion: string;
  readonly failurePolicy: string;
  readonly connectionInfo: {
    readonly type: string;
    /** null when it is not said. */
    readonly kubeConfigFile: string | null;
  };
  readonly matchConditions: readonly { readonly expression: string }[];
}

/** What AuthorizationConfiguration may name, in the order of upstream's complaint. */
export const authorizerTypes: readonly string[] = ['ABAC', 'AlwaysAllow', 'AlwaysDeny', 'Node', 'RBAC', 'Webhook'];
