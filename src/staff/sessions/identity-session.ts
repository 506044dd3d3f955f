/** The session for which a person went to the provider: the digest of its token, and the place they came back from. */
export interface IdentitySession {
  readonly hash: Buffer;
  readonly address: string;
}
