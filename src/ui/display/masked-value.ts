/** What is shown in place of a secret. It says nothing about its length. */
export const maskedValue = '••••••••••••';
