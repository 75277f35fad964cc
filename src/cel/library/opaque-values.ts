import type { Quantity } from '../../machinery/meta/quantity.ts';

/** An address with the length of its network prefix. */
export interface Cidr {
  readonly ip: IpAddress;
  readonly bits: number;
  readonly text: string;
}

/** An IPv4 (4 bytes) or IPv6 (16 bytes) address. `text` is its canonical form. */
export interface IpAddress {
  readonly bytes: readonly number[];
  readonly text: string;
}

/** A quantity, and whether Go stores it as a decimal rather than as a 64-bit integer. */
export interface QuantityValue {
  readonly quantity: Quantity;
  readonly decimal: boolean;
}

/** A semantic version. `identity` is equal for versions that compare equal. */
export interface Semver {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  readonly prerelease: readonly string[];
  readonly identity: string;
}

/** A URL as Go's net/url parses it. `text` is what String() prints. */
export interface Url {
  readonly text: string;
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

/** A named string format. `text` is its name; `validate` gives the errors. */
export interface NamedFormat {
  readonly text: string;
  readonly validate: (value: string) => readonly string[];
  /** The length of the largest pattern it may match, which decides the cost. */
  readonly maxRegexSize: number;
}

/** The result of `check()`. */
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
