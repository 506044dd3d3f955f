/** What an update of `customer` sets to remove the personal data of a customer who is erased or merged into another. */
export const ERASED_COLUMNS = `email = null,
  name = null,
  name_reading = null,
  birthday = null,
  accepts_marketing = null,
  account_enabled = null,
  locale = null,
  tags = null,
  member_versions = '{}'`;
