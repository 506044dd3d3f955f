import { make, write } from "./dom.ts";
import type { Format } from "./format.ts";
import { type Redeem, RedeemForm } from "./redeem-form.ts";
import type { Coupon, Money, Summary } from "./service.ts";
import { type Language, type Words, wordsOf } from "./words.ts";

export const SECTIONS = ["balance", "expiries", "tier", "earn", "redeem", "coupons"] as const;
export type Section = (typeof SECTIONS)[number];

export function isSection(text: string): text is Section {
  return SECTIONS.some((section) => section === text);
}

/** What a customer sees when everything is loaded. It is updated in place, so that focus and input are kept. */
export class View {
  readonly language: Language;
  readonly elements: readonly HTMLElement[];
  readonly #words: Words;
  readonly #status: HTMLElement;
  readonly #title: HTMLElement;
  readonly #points = make("span", { part: "points" });
  readonly #unit = make("span", { part: "unit" });
  readonly #worth = make("span", { part: "worth", class: "muted" });
  readonly #balance = make(
    "p",
    { part: "balance" },
    this.#points,
    new Text(" "),
    this.#unit,
    new Text(" "),
    this.#worth,
  );
  readonly #expiries: HTMLElement;
  readonly #tierName = make("h3", { part: "tier-name" });
  readonly #bar = make("div", { part: "progress-bar", class: "bar" });
  readonly #track = make("div", { part: "progress", class: "track", role: "progressbar" }, this.#bar);
  readonly #tierText = make("p", { part: "tier-text", class: "muted" });
  readonly #tier = make("div", { part: "tier" }, this.#tierName, this.#track, this.#tierText);
  readonly #earn = make("p", { part: "earn", "aria-live": "polite" });
  readonly #form: RedeemForm;
  readonly #coupons: HTMLElement;
  readonly #couponList = make("ul", { part: "coupon-list" });
  #format: Format | undefined;
  #shown: ReadonlySet<Section> = new Set();

  constructor(language: Language, redeem: Redeem, status: HTMLElement) {
    this.language = language;
    this.#words = wordsOf(language);
    this.#status = status;
    this.#title = make("h2", { part: "title", text: this.#words.title });
    this.#expiries = make("ul", { part: "expiries", class: "muted", "aria-label": this.#words.expiries });
    this.#form = new RedeemForm(this.#words, redeem, status);
    const heading = make("h3", { part: "coupons-title", text: this.#words.coupons });
    this.#coupons = make("div", { part: "coupons" }, heading, this.#couponList);
    this.elements = [
      this.#title,
      this.#balance,
      this.#expiries,
      this.#tier,
      this.#earn,
      this.#form.element,
      this.#coupons,
    ];
    for (const element of this.elements) element.hidden = true;
  }

  update(summary: Summary, format: Format, shown: ReadonlySet<Section>): void {
    this.#format = format;
    this.#shown = shown;
    const { points, worth, expiries, tier, redemption, coupons } = summary;
    this.#title.hidden = !shown.has("balance");
    this.#balance.hidden = !shown.has("balance");
    write(this.#points, format.points(points));
    write(this.#unit, this.#words.unit(format.points(points)));
    write(this.#worth, points > 0 ? this.#words.worth(format.money(worth)) : "");
    this.#expiries.hidden = !shown.has("expiries") || expiries.length === 0;
    this.#expiries.replaceChildren(
      ...expiries.map((expiry) =>
        make("li", { text: this.#words.useBy(format.points(expiry.points), format.lastDay(expiry.expires_at)) }),
      ),
    );
    this.#tier.hidden = !shown.has("tier") || tier === null;
    if (tier !== null) this.#showTier(tier, format);
    this.#form.element.hidden = !shown.has("redeem") || redemption === null || points === 0;
    if (redemption !== null) this.#form.update(points, redemption.point_worth, format);
    this.#coupons.hidden = !shown.has("coupons") || coupons.length === 0;
    this.#showCoupons(coupons, format);
  }

  showEarnings(points: number | undefined, isProduct: boolean): void {
    this.#earn.hidden = points === undefined || points === 0 || !this.#shown.has("earn");
    const shown = this.#format?.points(points ?? 0) ?? "";
    write(this.#earn, isProduct ? this.#words.earnProduct(shown) : this.#words.earnCart(shown));
  }

  #showTier({ name, spent, deadline, next, to_keep }: NonNullable<Summary["tier"]>, format: Format): void {
    write(this.#tierName, this.#words.tier(name));
    this.#track.hidden = next === null;
    const date = format.lastDay(deadline);
    const keep = to_keep === null ? "" : this.#words.keep(format.money(to_keep), name, date);
    if (next === null) {
      write(this.#tierText, keep || this.#words.top);
      return;
    }
    const toNext = this.#words.next(format.money(next.remaining), next.name, date);
    write(this.#tierText, keep === "" ? toNext : `${keep} ${toNext}`);
    const percent = percentOf(spent, next.requirement);
    this.#bar.style.width = `${percent}%`;
    for (const [attribute, value] of Object.entries({
      "aria-label": this.#words.progress(next.name),
      "aria-valuemin": "0",
      "aria-valuemax": "100",
      "aria-valuenow": String(percent),
      "aria-valuetext": `${format.money(spent)} / ${format.money(next.requirement)}`,
    }))
      this.#track.setAttribute(attribute, value);
  }

  /** A coupon that is already shown keeps its position, and its button the focus. */
  #showCoupons(coupons: readonly Coupon[], format: Format): void {
    const known = new Map([...this.#couponList.children].map((row) => [row.getAttribute("data-code"), row]));
    this.#couponList.replaceChildren(
      ...coupons.map((coupon) => known.get(coupon.code) ?? this.#couponRow(coupon, format)),
    );
  }

  #couponRow({ code, value, expires_at }: Coupon, format: Format): HTMLElement {
    const copy = make("button", {
      part: "copy button",
      class: "quiet",
      type: "button",
      text: this.#words.copy,
      "aria-label": this.#words.copyCode(code),
    });
    const shown = make("span", { part: "code", text: code });
    copy.addEventListener("click", () => void this.#copy(code, shown));
    const about = make("span", {
      class: "muted",
      text: this.#words.coupon(format.money(value), format.time(expires_at)),
    });
    const text = make("div", {}, shown, make("br"), about);
    return make("li", { part: "coupon", "data-code": code }, text, copy);
  }

  /** Pages without https or permission have no clipboard: the code is selected, so that it can be copied by hand. */
  async #copy(code: string, shown: HTMLElement): Promise<void> {
    try {
      await navigator.clipboard.writeText(code);
      write(this.#status, "");
      write(this.#status, this.#words.copied(code));
    } catch {
      getSelection()?.selectAllChildren(shown);
    }
  }
}

function percentOf(spent: Money, requirement: Money): number {
  const part = (100 * Number(spent.amount)) / Number(requirement.amount);
  return Math.round(Math.min(100, Math.max(0, part)));
}
