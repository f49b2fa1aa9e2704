package dev.haltgate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/** A certificate with its key, made for a test with Java's own keytool, in PEM files. */
final class Identity {
  private static final String PASSWORD = "for-this-test";

  final Path certificate;
  final Path key;

  Identity(Path folder, String name)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path store = folder.resolve(name + ".p12");
    List<String> keytool =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-alias",
            name,
            "-dname",
            "CN=" + name,
            "-keyalg",
            "EC",
            "-validity",
            "2",
            "-ext",
            "san=ip:127.0.0.1",
            "-ext",
            "bc=ca:true",
            "-storetype",
            "PKCS12",
            "-storepass",
            PASSWORD,
            "-keystore",
            store.toString());
    Process process = new ProcessBuilder(keytool).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    KeyStore made = KeyStore.getInstance("PKCS12");
    try (InputStream file = Files.newInputStream(store)) {
      made.load(file, PASSWORD.toCharArray());
    }
    certificate = folder.resolve(name + ".pem");
    key = folder.resolve(name + "-key.pem");
    Files.writeString(certificate, pem("CERTIFICATE", made.getCertificate(name).getEncoded()));
    Files.writeString(
        key, pem("PRIVATE KEY", made.getKey(name, PASSWORD.toCharArray()).getEncoded()));
  }

  private static String pem(String kind, byte[] content) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n";
  }
}
