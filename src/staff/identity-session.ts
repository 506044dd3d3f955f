/** The session for which a person went to the provider: the digest of its token, and whence they came back. */
export interface IdentitySession {
  readonly hash: Buffer;
  readonly address: string;
}
