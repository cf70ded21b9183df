#!/usr/bin/env bash
# Packs the jars, compares their files with the committed lists, and runs the README's program in a project of its own: from the class
# path, and from within an executable jar of Spring Boot's layout and with its loader.
#
# Usage: java.sh full    JAVA_HOME: a JDK 25
# shellcheck source=support.sh
. "$(dirname "$0")/support.sh"
command -v mvn >/dev/null || { say "SKIPPED, there is no mvn: the Java package"; exit 77; }
jdk=
for home in "${JAVA_HOME:-}" /usr/lib/jvm/*25*; do
  [[ -n $jdk || ! $("$home/bin/javac" -version 2>/dev/null) =~ \ 25 ]] || jdk=$home
done
[[ -n $jdk ]] || { say "SKIPPED, there is no JDK 25: the Java package"; exit 77; }
export JAVA_HOME=$jdk

"$checkout/scripts/package.sh" java "$work/packages"
for jar in "$work"/packages/dev/stowage/stowage/*/*.jar; do
  kind=$(basename "$jar" .jar | sed 's/^stowage-[0-9.]*-*//')
  # What else Javadoc adds depends on its version.
  files=.
  [[ $kind != javadoc ]] || files='^dev.stowage/stowage/.*[.]html$'
  "$JAVA_HOME/bin/jar" --list --file "$jar" | grep -v -e '/$' -e '^stowage/wire/' | grep "$files" | contents "java${kind:+-$kind}"
done
grep -q '<url>https://www.apache.org' "$work"/packages/dev/stowage/stowage-parent/*/*.pom
cp "$checkout/bindings/java/README.md" "$work"
# What Maven has fetched before, without any Stowage.
cp -r ~/.m2/repository "$work/fetched"
rm -rf "$work/fetched/dev/stowage"

maven() { mvn -q -B "-Dmaven.repo.local=$work/fetched" "$@"; }
program() {
  mkdir -p first/src/main/java
  cd first
  block java "$work/README.md" >src/main/java/First.java
  block xml "$work/README.md" >pom.xml
  sed -i "s|<dependencies>|<repositories><repository><id>packages</id><url>file://$work/packages</url></repository></repositories>&|" pom.xml
  maven compile dependency:build-classpath -Dmdep.outputFile=target/path
  "$JAVA_HOME/bin/java" --enable-native-access=ALL-UNNAMED -cp "target/classes:$(cat target/path)" First >"$work/printed"
}
nested() {
  cd first
  maven dependency:copy -Dartifact=org.springframework.boot:spring-boot-loader:3.5.0 -DoutputDirectory=loader
  mkdir -p boot/BOOT-INF/lib boot/BOOT-INF/classes
  (cd boot && "$JAVA_HOME/bin/jar" --extract --file ../loader/*.jar)
  cp target/classes/First.class boot/BOOT-INF/classes
  local jar
  for jar in $(tr : ' ' <target/path); do cp "$jar" boot/BOOT-INF/lib; done
  printf '%s: %s\n' Main-Class org.springframework.boot.loader.launch.JarLauncher Start-Class First \
    Spring-Boot-Classes BOOT-INF/classes/ Spring-Boot-Lib BOOT-INF/lib/ Enable-Native-Access ALL-UNNAMED >manifest
  "$JAVA_HOME/bin/jar" --create --no-compress --file application.jar --manifest manifest -C boot .
  # The jar is all there is.
  cp application.jar "$work"
  cd "$work"
  rm -rf first fetched packages
  "$JAVA_HOME/bin/java" -jar application.jar >"$work/printed" 2>"$work/errors"
  ! grep . "$work/errors" || fail "the executable jar warns"
}
hidden program
printed "$work/README.md"
hidden nested
printed "$work/README.md"
say "the jars work"
