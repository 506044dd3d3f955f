import { make, write } from "./dom.ts";
import { formatOf } from "./format.ts";
import {
  type Answer,
  type Cart,
  type Customer,
  type GetToken,
  OtherCustomer,
  Service,
  ServiceError,
  SignedOut,
  type Summary,
  TIMEOUT_MS,
} from "./service.ts";
import { STYLE } from "./style.ts";
import { isSection, SECTIONS, type Section, View } from "./view.ts";
import { languageOf, wordsOf } from "./words.ts";

/** Attributes that change the service or the customer; the others change only what is shown. */
const SOURCE_ATTRIBUTES = ["service", "token", "token-url"];
const CART_ATTRIBUTES = ["product-id", "price", "quantity", "currency", "taxes-included"];

type State = "loading" | "ready" | "signed-out" | "failed";

/**
 * `<pointkeeper-points>`: a customer's points on a page of the shop (docs/widget.md). Its token comes from the property `getToken`, from the URL
 * `token-url` of the shop's own server, or from the attribute `token`.
 */
export class PointkeeperPoints extends HTMLElement {
  static readonly observedAttributes = ["lang", "show", ...SOURCE_ATTRIBUTES, ...CART_ATTRIBUTES];

  readonly #content = make("div", { class: "content" });
  readonly #status = make("p", { part: "status", class: "muted", role: "status" });
  #getToken: GetToken | undefined;
  #cart: Cart | undefined;
  #service: Service | undefined;
  #summary: Answer<Summary> | undefined;
  #view: View | undefined;
  /** Whom the view shows. */
  #customer: Customer;
  /** Counts loads: the response of an older one is ignored. */
  #loads = 0;
  #earnings = 0;
  #isScheduled = false;
  #hasOtherSource = true;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet(); // a style element could be refused by the shop's content security policy
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    root.append(make("section", { part: "card" }, this.#content, this.#status));
  }

  /** Returns a token, and is called again when it has expired; null: nobody is signed in. */
  get getToken(): GetToken | undefined {
    return this.#getToken;
  }
  set getToken(getToken: GetToken | undefined) {
    this.#getToken = getToken;
    this.#schedule(true);
  }

  /** The cart whose points are shown; undefined: the product of the attributes. */
  get cart(): Cart | undefined {
    return this.#cart;
  }
  set cart(cart: Cart | undefined) {
    this.#cart = cart;
    this.#schedule(false);
  }

  connectedCallback(): void {
    this.#schedule(true);
  }

  disconnectedCallback(): void {
    this.#loads++;
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before !== after) this.#schedule(SOURCE_ATTRIBUTES.includes(name));
  }

  /** Loads everything again, for example after an order. */
  async refresh(): Promise<void> {
    await this.#load(true);
  }

  /** Several changes by a script at once are handled as one. */
  #schedule(isOtherSource: boolean): void {
    this.#hasOtherSource ||= isOtherSource;
    if (this.#isScheduled || !this.isConnected) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      if (!this.isConnected) return;
      if (this.#hasOtherSource) this.#begin();
      else if (this.#summary !== undefined) this.#showReady(this.#summary);
    });
  }

  #begin(): void {
    this.#hasOtherSource = false;
    this.#summary = undefined;
    this.#view = undefined;
    this.#service = new Service(this.getAttribute("service") ?? ownAddress(), () => this.#newToken());
    void this.#load(false);
  }

  async #newToken(): Promise<string | null | undefined> {
    if (this.#getToken !== undefined) return this.#getToken();
    const url = this.getAttribute("token-url");
    if (url === null) return this.getAttribute("token");
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await fetch(url, { headers: { accept: "application/json" }, cache: "no-store", signal });
    if (answer.status === 401 || answer.status === 403 || answer.status === 204) return null;
    // Not a ServiceError, whose status would be taken as the answer to a redemption
    if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
    const body: { token?: unknown } = await answer.json();
    return typeof body.token === "string" ? body.token : null;
  }

  async #load(isFresh: boolean): Promise<void> {
    const service = this.#service;
    if (service === undefined) return;
    const load = ++this.#loads;
    if (this.#summary === undefined) this.#showLoading();
    try {
      const summary = await service.summary(isFresh);
      if (load !== this.#loads) return;
      this.#summary = summary;
      this.#showReady(summary);
    } catch (error) {
      if (load !== this.#loads) return;
      const isSignedOut = error instanceof SignedOut;
      if (!isSignedOut)
        this.#tell("pointkeeper-error", { code: error instanceof ServiceError ? error.code : "no_token" });
      if (!isSignedOut && this.#summary !== undefined) return; // what is shown was correct a moment ago
      this.#summary = undefined;
      this.#view = undefined;
      if (isSignedOut) this.#showSignedOut();
      else this.#showFailed();
    }
  }

  get #words() {
    return wordsOf(languageOf(this));
  }

  #setState(state: State): void {
    this.setAttribute("state", state);
    this.#content.setAttribute("aria-busy", String(state === "loading"));
  }

  #showLoading(): void {
    this.#setState("loading");
    this.#content.replaceChildren(make("div", { part: "loading", class: "wait" }));
    write(this.#status, this.#words.loading);
  }

  /** Whoever was in the form, whose session has ended, is led to the words in its place. */
  #showSignedOut(): void {
    const hadFocus = this.shadowRoot?.activeElement !== null;
    this.#setState("signed-out");
    const slot = make("slot", { name: "signed-out" }, make("p", { text: this.#words.signedOut }));
    const box = make("div", { part: "signed-out", tabindex: "-1" }, slot);
    this.#content.replaceChildren(box);
    write(this.#status, "");
    if (hadFocus) box.focus();
  }

  #showFailed(): void {
    const hadFocus = this.shadowRoot?.activeElement !== null;
    this.#setState("failed");
    const retry = make("button", { part: "retry button", class: "quiet", type: "button", text: this.#words.retry });
    retry.addEventListener("click", () => this.#begin());
    const text = make("p", { part: "error", class: "fault", role: "alert", text: this.#words.failed });
    this.#content.replaceChildren(text, retry);
    write(this.#status, "");
    if (hadFocus) retry.focus();
  }

  /** A view is of one customer: nothing of it, such as an amount or a redemption without an answer, is left for another one. */
  #showReady({ data: summary, customer }: Answer<Summary>): void {
    const language = languageOf(this);
    this.#setState("ready");
    if (this.#view?.language !== language || this.#customer !== customer) {
      this.#customer = customer;
      this.#view = new View(language, (points, key) => this.#redeem(customer, points, key), this.#status);
      this.#content.replaceChildren(...this.#view.elements);
      write(this.#status, "");
    }
    this.#view.update(summary, formatOf(language, summary.time_zone), this.#sections());
    void this.#showEarnings();
  }

  #sections(): ReadonlySet<Section> {
    const named = (this.getAttribute("show") ?? "").split(/\s+/).filter(isSection);
    return new Set(named.length === 0 ? SECTIONS : named);
  }

  async #redeem(customer: Customer, points: number, key: string) {
    if (this.#service === undefined) throw new ServiceError(0, "network");
    try {
      const coupon = await this.#service.redeem(customer, points, key);
      this.#tell("pointkeeper-redeem", coupon);
      return coupon;
    } catch (error) {
      if (error instanceof OtherCustomer) this.#begin();
      throw error;
    } finally {
      void this.#load(true); // after a refusal too: the balance had changed
    }
  }

  /** Shows the points for the product or cart of the page; after a failure the line is left out, since the rest is correct. */
  async #showEarnings(): Promise<void> {
    const [view, service, cart] = [this.#view, this.#service, this.#cart ?? this.#product()];
    const asked = ++this.#earnings;
    if (view === undefined || service === undefined) return;
    const isWanted = cart !== undefined && cart.lines.length > 0 && this.#sections().has("earn");
    const found = isWanted ? await service.cart(cart).catch(() => undefined) : undefined;
    if (asked === this.#earnings) view.showEarnings(found?.points, this.#cart === undefined);
  }

  #product(): Cart | undefined {
    const [id, price] = [this.getAttribute("product-id"), this.getAttribute("price")];
    if (!id || !price) return undefined;
    const quantity = Number(this.getAttribute("quantity") ?? 1);
    const currency = this.getAttribute("currency");
    return {
      ...(currency === null ? {} : { currency }),
      ...(this.hasAttribute("taxes-included") ? { taxes_included: true } : {}),
      lines: [{ product_id: id, price, quantity }],
    };
  }

  #tell(type: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }
}

/** The URL of this script's folder: the service, unless the shop bundles it. */
function ownAddress(): string {
  return import.meta.url.replace(/[^/]*$/, ""); // with `new URL` a bundler would include a file
}
