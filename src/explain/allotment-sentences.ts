import { plus } from "../orders/plan/fraction.ts";
import { addPoints, type ExactPoints } from "../orders/plan/order-target.ts";
import { fractionText, type LineBreakdown } from "../orders/preview/preview-breakdown.ts";
import type { PostingResult } from "../orders/store-order.ts";
import type { Rate } from "../program/program.ts";
import type { DrawFacts } from "./allotment-queries.ts";
import type { AllotmentExplanation, ExpirationPart, OrderPart } from "./explanation.ts";
import type { Formatter } from "./formatter.ts";
import type { Messages } from "./messages.ts";
import type { OrderExplanation } from "./order-explanation.ts";
import { undoneOf } from "./undone-of.ts";

const LINES_MAX = 50;

/** Returns the explanation of an allotment in sentences. */
export function allotmentSentences(explanation: AllotmentExplanation, format: Formatter): string[] {
  const { words } = format;
  const { allotment, order, coupon } = explanation;
  const { pointValue, balanceAfter } = allotment;
  const sentences = [
    words.headline(format.change(pointValue), format.time(allotment.allottedAt), typeWords(allotment, words)),
    ...(order === null ? [] : [words.ofOrder(order.kept.orderName ?? order.orderId, lineTitle(order))]),
    words.balance(format.points(balanceAfter - pointValue), format.points(balanceAfter)),
    askedBy(explanation, format),
  ];
  sentences.push(...dateWords(explanation, format));
  // The reason of an order's own points says no more than their type does.
  const reasonType = order?.explanation == null ? allotment.reasonType : null;
  if (reasonType !== null || allotment.note !== null) sentences.push(words.reason(reasonType, allotment.note));
  if (allotment.sourceKey.startsWith("owed/")) sentences.push(words.debt());
  if (allotment.settledDebt !== null) sentences.push(words.settledDebt(format.points(allotment.settledDebt)));
  const [, reward] = /^reward\/([^/]+)\//.exec(allotment.sourceKey) ?? [];
  if (reward !== undefined) sentences.push(words.reward(words.rewards[reward] ?? reward));
  if (order !== null) sentences.push(...orderSentences(order, format));
  if (coupon !== null) {
    sentences.push(
      words.coupon(
        coupon.code,
        format.points(coupon.pointValue),
        format.money(coupon.currencyValue, explanation.currency),
      ),
    );
    if (coupon.usedBy !== null) sentences.push(words.couponUsed(coupon.usedBy));
    else if (coupon.state === "cancelled" || coupon.state === "expired") sentences.push(words.couponReturned());
  }
  if (explanation.expiration !== null) sentences.push(...expirationWords(explanation.expiration, format));
  else sentences.push(...explanation.draws.slice(0, LINES_MAX).map((draw) => drawn(draw, format)));
  sentences.push(...creditWords(explanation, format));
  if (allotment.extends) sentences.push(words.extendsExpiry());
  const from = format.timeOrNull(allotment.programFrom);
  sentences.push(words.programVersion(allotment.programVersion, allotment.programAuthor, from));
  return sentences;
}

/** A merge closes one balance and opens its lots again on the other, by allotments of the type manual. */
function typeWords(allotment: AllotmentExplanation["allotment"], words: Messages): string {
  const { type, object } = allotment;
  if (type === "manual" && object?.startsWith("balance-") === true) return words.merge;
  const undone = undoneOf(allotment);
  return undone === null ? words.types[type] : words.undoing[undone];
}

function askedBy({ allotment, order }: AllotmentExplanation, { words, app }: Formatter): string {
  const { appReference, actor, isCredential } = allotment;
  if (isMovedIn(allotment)) return words.movedIn(appReference);
  if (appReference === "pointkeeper") return words.postedByService();
  if (appReference === "dashboard") return words.requestedByStaff(actor);
  if (isCredential && order === null) return words.requestedByCredential(appReference, actor);
  return words.causedByPlatform(app(appReference), actor);
}

/** An import of another app's points has the app's name as `app_reference`. */
function isMovedIn({ type, origin, appReference }: AllotmentExplanation["allotment"]): boolean {
  return type === "csv" && origin === "migration" && appReference !== "dashboard";
}

function dateWords({ allotment }: AllotmentExplanation, { words, time }: Formatter): string[] {
  const { earnedAt, ownDate } = allotment;
  return [
    ...(earnedAt === null ? [] : [words.earnedAt(time(earnedAt))]),
    ...(ownDate === null ? [] : [words.ownExpiry(time(ownDate))]),
  ];
}

/** Returns the title of the line that an award was for; null: the step was about several lines. */
function lineTitle({ explanation }: OrderPart): string | null {
  const lineId = explanation?.step.shipment?.lineId;
  const title = explanation?.lines.find(({ line }) => line.lineId === lineId)?.line.title ?? "";
  return title === "" ? null : title;
}

/** Returns the lines of a step: that of an award, those of a refund, or else all. */
function linesOfStep({ lines, step }: OrderExplanation): readonly LineBreakdown[] {
  const ids = step.shipment === null ? step.refund?.lines.map(({ lineId }) => lineId) : [step.shipment.lineId];
  const own = lines.filter(({ line }) => ids?.includes(line.lineId));
  return own.length === 0 ? lines : own;
}

function orderSentences({ kept, explanation }: OrderPart, format: Formatter): string[] {
  const { words } = format;
  if (explanation === null) return [];
  const { rules } = kept;
  const rate = rateText(rules.rate, rules.currency, format);
  return [
    ...linesOfStep(explanation)
      .slice(0, LINES_MAX)
      .map((line) => lineWords(line, rules.currency, format)),
    words.tierRate(rules.tier.name, rules.campaign, rate),
    words.rounding(words.roundings[rules.rounding]),
    stepWords(explanation, format),
    ...resultWords(explanation, format),
    ...(explanation.isReproduced ? [] : [words.notReproduced()]),
  ];
}

function lineWords(line: LineBreakdown, currency: string, format: Formatter): string {
  const { words } = format;
  const title = line.line.title === "" ? line.line.lineId : line.line.title;
  if (line.excludedBy !== null) return words.excludedLine(title, words.exclusions[line.excludedBy] ?? line.excludedBy);
  const discount = line.gross - line.net;
  const left = fractionText(line.left);
  return words.orderLine({
    title,
    gross: format.money(line.gross, currency),
    discount: discount === 0n ? null : format.money(discount, currency),
    base: format.money(line.goods + line.tax, currency),
    left: left === "1" ? null : left,
    rate: line.rate === null ? "0" : rateText(line.rate, currency, format),
    bonus: line.bonus === null ? null : rateText(line.bonus, currency, format),
    exact: exactText(addPoints(line.goodsPoints, line.taxPoints), format),
  });
}

function stepWords({ step, row }: OrderExplanation, format: Formatter): string {
  const { words } = format;
  const [before, after] = [format.points(step.before), format.points(step.after)];
  const exact = exactText(step.exactAfter, format);
  switch (step.kind) {
    case "award": {
      const isShipped = step.shipment?.fulfillmentId != null;
      return words.award({ exact, after, before, share: format.points(step.after - step.before), isShipped });
    }
    case "refund":
      return words.refund({ before, after, exact });
    case "cancellation":
      return words.cancellation({ before });
    default:
      return words.correction(format.change(row.requested));
  }
}

function resultWords({ row }: OrderExplanation, format: Formatter): string[] {
  if (row.requested === row.taken) return [];
  const { words } = format;
  const sentences = [words.requested(format.change(row.requested), format.change(row.taken))];
  const { result } = row;
  const rest = format.points(row.requested > 0n ? row.requested - row.taken : row.taken - row.requested);
  if (isShort(result)) sentences.push(words.results[result](rest));
  return sentences;
}

function isShort(result: PostingResult): result is keyof Messages["results"] {
  return result === "capped" || result === "owed" || result === "refused" || result === "set_off";
}

function expirationWords({ rules, activeAt, draws }: ExpirationPart, format: Formatter): string[] {
  const { words } = format;
  const setting =
    rules.delayMonths === null
      ? words.onlyOwnDates()
      : rules.mode === "sliding"
        ? words.sliding(rules.delayMonths, format.timeOrNull(activeAt))
        : words.perAllotment(rules.delayMonths);
  const lots = draws.slice(0, LINES_MAX).map((draw) => {
    const at = format.time(draw.allottedAt);
    return words.expired(format.points(draw.points), words.types[draw.type], at, format.timeOrNull(draw.goesAt));
  });
  return [setting, ...lots];
}

function drawn(draw: DrawFacts, format: Formatter): string {
  return format.words.drawn(format.points(draw.points), format.words.types[draw.type], format.time(draw.allottedAt));
}

function creditWords({ allotment, usedBy, lots }: AllotmentExplanation, format: Formatter): string[] {
  const { words } = format;
  if (allotment.pointValue <= 0n) return [];
  const used = usedBy.slice(0, LINES_MAX).map((draw) => {
    return words.usedBy(format.points(draw.points), words.types[draw.type], format.time(draw.allottedAt));
  });
  const left = lots.map(({ remaining, goesAt }) =>
    words.remaining(format.points(remaining), format.timeOrNull(goesAt)),
  );
  return [...used, ...(left.length === 0 ? [words.nothingLeft()] : left)];
}

function exactText({ byRate, byBonus }: ExactPoints, { decimal }: Formatter): string {
  return decimal(fractionText(plus(byRate, byBonus)));
}

function rateText({ pointValue, currencyValue }: Rate, currency: string, format: Formatter): string {
  return format.words.rate(format.points(pointValue), format.money(currencyValue, currency));
}
