// biome-ignore-all lint/performance/noBarrelFile: the one entry of a published package
export { type CustomerTokenOptions, customerToken, type StorefrontKey } from "./customer-token.ts";
export { type ErrorDetail, PointkeeperError } from "./error.ts";
export type { AllotmentEvent, FeedEvent, Following } from "./events.ts";
export type { Operations, Schemas } from "./generated.ts";
export type { SendOptions } from "./intake.ts";
export type { Body, Data, Id, Item, OperationName, Query } from "./operation.ts";
export { type Page, PagedList } from "./pages.ts";
export { Pointkeeper } from "./pointkeeper.ts";
export type { CallOptions, PointkeeperOptions } from "./transport.ts";
export {
  type PointAllotmentCascade,
  type PointBalancesExport,
  type PointBalanceUpdate,
  type ReceivedDelivery,
  type VerifyOptions,
  verifyWebhook,
  type WebhookCustomer,
  type WebhookErrorCode,
  type WebhookEvent,
  WebhookVerificationError,
} from "./webhook.ts";
