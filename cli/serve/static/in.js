// Posts the secret that is in the address, and takes it out of there first: history keeps none.
"use strict";

function letIn() {
  const secret = location.hash.slice(1);
  if (!secret) return;
  history.replaceState(null, "", "/in");
  document.getElementById("secret").value = secret;
  document.getElementById("in").submit();
}

window.addEventListener("hashchange", letIn); // a link that is opened while this page is
letIn();
