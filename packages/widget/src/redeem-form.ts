import { make, write } from "./dom.ts";
import type { Format } from "./format.ts";
import { type Coupon, type Money, ServiceError } from "./service.ts";
import type { Words } from "./words.ts";

/** Redeems points with a key: the same key again is the same redemption. */
export type Redeem = (points: number, key: string) => Promise<Coupon>;

/**
 * The form that redeems points. One key belongs to one request of the customer until there is a response, so that a second click, a lost request and
 * a renewed token redeem only once.
 */
export class RedeemForm {
  readonly element: HTMLFormElement;
  readonly #words: Words;
  readonly #redeem: Redeem;
  readonly #status: HTMLElement;
  readonly #input: HTMLInputElement;
  readonly #hint = make("p", { part: "redeem-hint", class: "muted", id: "hint" });
  readonly #fault = make("p", { part: "redeem-error", class: "fault", id: "fault", role: "alert" });
  readonly #button: HTMLButtonElement;
  #max = 0;
  #worth: Money = { amount: "0", currency: "USD" };
  #format: Format | undefined;
  #isSending = false;
  /** A redemption whose response was lost. */
  #open: { readonly points: number; readonly key: string } | undefined;

  constructor(words: Words, redeem: Redeem, status: HTMLElement) {
    this.#words = words;
    this.#redeem = redeem;
    this.#status = status;
    this.#input = make("input", {
      part: "redeem-input",
      id: "amount",
      type: "text",
      inputmode: "numeric",
      autocomplete: "off",
      "aria-describedby": "hint fault",
    });
    this.#button = make("button", { part: "redeem-button button", type: "submit", text: words.redeemNothing });
    const label = make("label", { part: "redeem-label", for: "amount", text: words.amount });
    this.element = make("form", { part: "redeem", class: "form", novalidate: "" });
    this.element.append(label, this.#input, this.#hint, this.#fault, this.#button);
    this.#input.addEventListener("input", () => this.#showWorth());
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#submit();
    });
  }

  update(max: number, worth: Money, format: Format): void {
    this.#max = max;
    this.#worth = worth;
    this.#format = format;
    write(this.#hint, this.#words.amountHint(format.points(max)));
    this.#showWorth();
  }

  /** Accepts full-width digits, as Japanese keyboards write them, and thousands separators. */
  #points(): number | undefined {
    const text = this.#input.value.normalize("NFKC").replace(/[\s,.]/g, "");
    const points = /^\d{1,16}$/.test(text) ? Number(text) : 0;
    return points >= 1 && points <= this.#max ? points : undefined;
  }

  #showWorth(): void {
    const points = this.#points();
    const format = this.#format;
    if (this.#isSending || format === undefined) return;
    if (points !== undefined) this.#showFault("");
    const text =
      points === undefined
        ? this.#words.redeemNothing
        : this.#words.redeem(format.points(points), format.money(this.#worth, points));
    write(this.#button, text);
  }

  #showFault(text: string): void {
    write(this.#fault, text);
    this.#fault.hidden = text === "";
    this.#input.setAttribute("aria-invalid", String(text !== ""));
  }

  /** Says nothing once the view of another customer or language is in its place. */
  #say(text: string): void {
    if (this.element.isConnected) write(this.#status, text);
  }

  async #submit(): Promise<void> {
    if (this.#isSending) return;
    const points = this.#points();
    if (points === undefined) {
      this.#showFault(this.#words.wrongAmount(this.#format?.points(this.#max) ?? ""));
      this.#input.focus();
      return;
    }
    if (this.#open?.points !== points) this.#open = { points, key: newKey() };
    this.#setSending(true);
    try {
      const coupon = await this.#redeem(points, this.#open.key);
      this.#open = undefined;
      this.#input.value = "";
      this.#showFault("");
      this.#say(this.#words.redeemed(coupon.code, this.#format?.money(coupon.value) ?? ""));
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#setSending(false);
    }
  }

  #fail(error: unknown): void {
    const { status, code } = error instanceof ServiceError ? error : { status: 0, code: "network" };
    this.#say("");
    // a final refusal: nothing was redeemed, and the next attempt is a new one
    if (status >= 400 && status < 500 && ![401, 408, 409, 429].includes(status)) this.#open = undefined;
    if (code === "negative_balance") this.#showFault(this.#words.tooFew);
    else this.#showFault(status === 429 ? this.#words.busy : this.#words.redeemFailed);
  }

  /** Not `disabled`, which would remove the focus. */
  #setSending(isSending: boolean): void {
    this.#isSending = isSending;
    this.#button.setAttribute("aria-disabled", String(isSending));
    this.element.setAttribute("aria-busy", String(isSending));
    if (isSending) this.#say(this.#words.redeeming);
    this.#showWorth();
  }
}

/** Not `randomUUID`, which pages without https do not have. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `widget-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
