/**
 * The PostgreSQL function that prevents two payments from getting the same charge.
 *
 * The function waits until every other transaction that gives the reference to an operation has ended, and then checks.
 * Each statement of the function sees the commits before that statement, while the statement that calls the function
 * sees only the commits before the call. It uses an advisory lock, which needs no table, so payments that already share
 * a reference keep it.
 */

/**
 * Whether a create operation of another payment at the provider has the reference.
 *
 * @internal Exported for the test of its query plan.
 */
export const otherPaymentWith = (provider: string, reference: string, payment: string): string =>
  `EXISTS (SELECT 1 FROM operations other WHERE other.provider = ${provider} AND other.reference = ${reference}
    AND other.kind = 'create' AND other.payment_id <> ${payment})`

/** The parameters of the function: the provider, the reference, and the payment that is to get the reference. */
export const referenceIsTaken = `CREATE FUNCTION reference_is_taken(text, text, text) RETURNS boolean
  LANGUAGE plpgsql VOLATILE AS $$
    BEGIN
      PERFORM pg_advisory_xact_lock(hashtextextended($2, hashtextextended($1, 0)));
      RETURN ${otherPaymentWith("$1", "$2", "$3")};
    END
  $$`
