import { CATALOGUE, type Product } from "../season/catalogue.ts";

export interface PageOptions {
  readonly service: string;
  readonly product: Product;
  readonly language: "en" | "ja";
  /** Null: nobody is signed in. */
  readonly customerId: string | null;
  /** The customers who can sign in. */
  readonly customerIds: readonly string[];
}

const TEXTS = {
  en: { signIn: "Sign in as", signOut: "Sign out", other: "日本語", quantity: "Quantity", more: "More from the shop" },
  ja: { signIn: "ログイン", signOut: "ログアウト", other: "English", quantity: "数量", more: "ほかの商品" },
};

const STYLE = `
body { font: 16px/1.6 system-ui, sans-serif; margin: 0; color: #1c2b22; background: #f7f6f1; }
header, main { max-width: 960px; margin: 0 auto; padding: 16px; }
header { display: flex; flex-wrap: wrap; gap: 8px 20px; align-items: center; justify-content: space-between; }
main { display: grid; gap: 32px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 300px), 1fr)); }
h1 { margin: 0; font-size: 1.8em; } a { color: #14532d; } input, select, button { font: inherit; padding: 6px 10px; }
form { display: flex; gap: 8px; } .price { font-size: 1.4em; }
pointkeeper-points { --pk-accent: #14532d; --pk-radius: 12px; --pk-border: #d6d3c4; --pk-muted: #555d57; }
`;

/** A product page of the tea shop, with the widget. Every value in it comes from the demo. */
export function shopPage({ service, product, language, customerId, customerIds }: PageOptions): string {
  const t = TEXTS[language];
  const link = (id: string, to = language) => `/?product=${id}&amp;lang=${to}`;
  const options = customerIds.map((id) => `<option${id === customerId ? " selected" : ""}>${id}</option>`).join("");
  const others = CATALOGUE.filter(({ id }) => id !== product.id)
    .map(({ id, title }) => `<li><a href="${link(id)}">${title}</a></li>`)
    .join("");
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${product.title}</title>
<link rel="icon" href="data:,"><style>${STYLE}</style>
<script type="module" src="${service}/widget.js"></script><script type="module" src="/shop.js"></script></head>
<body>
<header><strong>Demo tea shop</strong>
<form action="/sign-in"><label>${t.signIn} <select name="customer">${options}</select></label><button>OK</button></form>
<a href="/sign-in">${t.signOut}</a> <a href="${link(product.id, language === "en" ? "ja" : "en")}">${t.other}</a></header>
<main><section><h1>${product.title}</h1><p class="price">¥${product.price.toLocaleString("ja")}</p>
<label>${t.quantity} <input id="quantity" type="number" min="1" max="99" value="1"></label>
<h2>${t.more}</h2><ul>${others}</ul></section>
<section><pointkeeper-points token-url="/points-token" product-id="${product.id}" price="${product.price}" taxes-included></pointkeeper-points></section>
</main></body></html>`;
}

/** The page's own script: it passes the quantity to the widget. */
export const SHOP_SCRIPT = `const quantity = document.querySelector("#quantity");
quantity.addEventListener("input", () => {
  if (quantity.validity.valid) document.querySelector("pointkeeper-points").setAttribute("quantity", quantity.value || "1");
});
`;
