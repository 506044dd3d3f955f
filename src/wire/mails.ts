/**
 * What a mail is about, in the order of the queue: a password reset does not wait behind a letter to every customer.
 * `access`: invitations and resets of people. `alert`, `report`: to people, about the store. `customer`: to a customer. `test`: requested by an
 * operator.
 */
export const MAIL_CATEGORY_NAMES = ["access", "test", "alert", "report", "customer"] as const;

/** The state of a mail. `expired`: too late to be useful; `withdrawn`: it was not to be sent any more. */
export const MAIL_STATES = ["waiting", "sent", "failed", "expired", "withdrawn"] as const;
