// Posts the secret that is in the address, and takes it out of there first: history keeps none.
"use strict";

const secret = location.hash.slice(1);
if (secret) {
  history.replaceState(null, "", "/in");
  document.getElementById("secret").value = secret;
  document.getElementById("in").submit();
}
