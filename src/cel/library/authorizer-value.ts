/** What the API server answers to `check()`. */
export interface AuthorizerDecision {
  readonly allowed: boolean;
  readonly reason: string;
  /** Set when the authorizer failed. */
  readonly error?: string | undefined;
}

export interface ResourceCheckAttributes {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly fieldSelector?: string | undefined;
  readonly labelSelector?: string | undefined;
}

/** The port through which expressions call the authorizer. `serviceAccount` replaces the user of the request. */
export interface CelAuthorizer {
  readonly check: (question: CelAuthorizerRequest) => AuthorizerDecision;
}

export type CelAuthorizerRequest =
  | { readonly type: 'path'; readonly path: string; readonly verb: string; readonly serviceAccount: ServiceAccount }
  | ({
      readonly type: 'resource';
      readonly verb: string;
      readonly serviceAccount: ServiceAccount;
    } & ResourceCheckAttributes);

export type ServiceAccount = { readonly namespace: string; readonly name: string } | undefined;

/** The steps of `authorizer.group().resource().check()`. `type` is the last part of the type's name. */
export type AuthorizerValue =
  | { readonly type: 'Authorizer'; readonly port: CelAuthorizer; readonly serviceAccount: ServiceAccount }
  | {
      readonly type: 'PathCheck';
      readonly port: CelAuthorizer;
      readonly serviceAccount: ServiceAccount;
      readonly path: string;
    }
  | {
      readonly type: 'GroupCheck';
      readonly port: CelAuthorizer;
      readonly serviceAccount: ServiceAccount;
      readonly group: string;
    }
  | {
      readonly type: 'ResourceCheck';
      readonly port: CelAuthorizer;
      readonly serviceAccount: ServiceAccount;
      readonly attributes: ResourceCheckAttributes;
    }
  | { readonly type: 'Decision'; readonly decision: AuthorizerDecision };
