/** Keys such as `2.1 currency_id`, `4.2 rule 3`, `7 400001` of a specification in Markdown. */
export function outline(text: string): string[];
