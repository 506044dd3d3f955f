import { PageLink } from "../layout/page-link.tsx";

interface NamedCustomer {
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
}

/** Returns a customer's name, or the e-mail, or the id. */
export function customerName({ id, name, email }: NamedCustomer): string {
  return name ?? email ?? id;
}

/** A customer's name as a link to their page; the pointer shows the id. */
export function CustomerLink({ customer, className }: { customer: NamedCustomer; className?: string }) {
  return (
    <PageLink
      to={`/customers/${encodeURIComponent(customer.id)}`}
      title={customer.id}
      {...(className === undefined ? {} : { className })}
    >
      {customerName(customer)}
    </PageLink>
  );
}
