/** One JWT authenticator of an AuthenticationConfiguration v1 or of the OIDC flags; '' is unset. */
export interface JwtAuthenticator {
  readonly issuer: JwtIssuer;
  readonly claimValidationRules: readonly ClaimValidationRule[];
  readonly claimMappings: ClaimMappings;
  readonly userValidationRules: readonly JwtValidationRule[];
}

export interface JwtIssuer {
  readonly url: string;
  readonly discoveryURL: string;
  readonly certificateAuthority: string;
  readonly audiences: readonly string[];
  readonly audienceMatchPolicy: string;
  readonly egressSelectorType: string;
}

export interface JwtValidationRule {
  readonly expression: string;
  readonly message: string;
}

/** A claim with its required value, or a boolean expression. */
export interface ClaimValidationRule extends JwtValidationRule {
  readonly claim: string;
  readonly requiredValue: string;
}

export interface ClaimOrExpression {
  readonly claim: string;
  readonly expression: string;
}

export interface PrefixedClaim extends ClaimOrExpression {
  /** null: unset. */
  readonly prefix: string | null;
}

export interface ClaimMappings {
  readonly username: PrefixedClaim;
  readonly groups: PrefixedClaim;
  readonly uid: ClaimOrExpression;
  readonly extra: readonly { readonly key: string; readonly valueExpression: string }[];
}
