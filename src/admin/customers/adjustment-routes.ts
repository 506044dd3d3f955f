import { adjustPoints } from "../../adjustments/adjust-points.ts";
import { previewAdjustment } from "../../adjustments/preview-adjustment.ts";
import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { placeCustomer } from "./place-customer.ts";
import {
  adjustedAnswer,
  adjustmentBody,
  adjustmentPreviewAnswer,
  customerAllotmentParams,
  previewQuery,
  shownCustomerParams,
  tierBody,
  tierPlacedAnswer,
  undoBody,
} from "./schema.ts";
import { adjustedView, adjustmentPreviewView } from "./view.ts";

const config = { permission: "points.adjust" } as const;
const answer = { hide: true, response: { 200: adjustedAnswer } };

/** Routes by which staff change a customer's points and tier. */
export function adjustmentRoutes(app: App, deps: Deps): void {
  const preview = {
    params: shownCustomerParams,
    querystring: previewQuery,
    response: { 200: adjustmentPreviewAnswer },
  };
  app.get("/customers/:id/adjustment-preview", { config, schema: { hide: true, ...preview } }, async (request) => {
    const { point_value: pointValue, balance, undo, extends_expiration } = request.query;
    const input = { pointValue, balance, undo, extends: extends_expiration === "true" };
    return { data: adjustmentPreviewView(await previewAdjustment(deps, request.params.id, input, request.staff.uid)) };
  });

  app.post(
    "/customers/:id/adjustments",
    { config, schema: { ...answer, params: shownCustomerParams, body: adjustmentBody } },
    async (request) => {
      const { request_uid, point_value, reason_type, extends_expiration, ...rest } = request.body;
      const named = { requestUid: request_uid, pointValue: point_value, reasonType: reason_type };
      const input = { ...rest, ...named, extends: extends_expiration };
      return {
        data: adjustedView(await adjustPoints(deps, request.params.id, input, request.staff), deps.clock.now()),
      };
    },
  );

  app.post(
    "/customers/:id/adjustments/:uid/undo",
    { config, schema: { ...answer, params: customerAllotmentParams, body: undoBody } },
    async (request) => {
      const input = { requestUid: request.body.request_uid, undo: request.params.uid };
      return {
        data: adjustedView(await adjustPoints(deps, request.params.id, input, request.staff), deps.clock.now()),
      };
    },
  );

  tierRoute(app, deps);
}

function tierRoute(app: App, deps: Deps): void {
  const schema = { hide: true, params: shownCustomerParams, body: tierBody, response: { 200: tierPlacedAnswer } };
  app.put("/customers/:id/tier", { config: { permission: "tiers.place" }, schema }, async (request) => {
    const { tier, minimum_tier: minimumTier, skip_next_check: skipNextCheck } = request.body;
    const update = { tier, minimumTier, skipNextCheck };
    const after = await placeCustomer(deps, request.params.id, update, request.staff.name);
    const { tier: placed, minimumTier: floor, skipNextCheck: skip } = after;
    return { data: { tier: placed.name, minimum_tier: floor?.name ?? null, skip_next_check: skip } };
  });
}
