import { PageLink } from "./page-link.tsx";

interface NamedCustomer {
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
}

/** What people call a customer: the name, else the e-mail, else the id. */
export function customerName({ id, name, email }: NamedCustomer): string {
  return name ?? email ?? id;
}

/** A customer by name, leading to their page; pointing at it shows the id. */
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
