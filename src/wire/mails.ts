/**
 * What a mail is about. The order is that of the queue: a reset of a password does not wait behind a letter to every customer.
 * `access`: invitations and resets of people. `alert`, `report`: to people, about the store. `customer`: to a customer. `test`: asked for by an operator.
 */
export const MAIL_CATEGORY_NAMES = ["access", "test", "alert", "report", "customer"] as const;

/** How a mail stands. `expired`: it was not worth sending any more; `withdrawn`: its recipient does not want it any more. */
export const MAIL_STATES = ["waiting", "sent", "failed", "expired", "withdrawn"] as const;
