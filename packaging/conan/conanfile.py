"""Recipe of the library from its source as a few files, which `scripts/package.sh conan` puts beside this file."""
import pathlib
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, cmake_layout
from conan.tools.files import copy, rmdir


class StowageConan(ConanFile):
    name = "stowage"
    description = "Plans on which nodes long-running applications run, before they run"
    license = "Apache-2.0"
    author = "The Stowage authors"
    homepage = "https://stowage.dev"
    url = "https://stowage.dev"
    topics = ("scheduling", "bin-packing", "placement", "cluster")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    implements = ["auto_shared_fpic"]
    exports = "stowage.h"
    exports_sources = "CMakeLists.txt", "LICENSE", "stowage*.cpp", "stowage*.h", "stowage.hpp", "schema/*"
    generators = "CMakeToolchain"

    def set_version(self):
        text = (pathlib.Path(self.recipe_folder) / "stowage.h").read_text()
        self.version = ".".join(re.search(rf"STOWAGE_VERSION_{part} (\d+)", text)[1] for part in ("MAJOR", "MINOR", "PATCH"))

    def validate(self):
        if self.settings.get_safe("compiler.cppstd"):
            check_min_cppstd(self, 20)

    def layout(self):
        cmake_layout(self)

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, pathlib.Path(self.package_folder) / "licenses")
        CMake(self).install()
        # Conan makes these files for what depends on the package.
        rmdir(self, pathlib.Path(self.package_folder) / "lib" / "cmake")

    def package_info(self):
        self.cpp_info.libs = ["stowage"]
        self.cpp_info.set_property("cmake_target_name", "stowage::stowage")
        if not self.options.shared:
            self.cpp_info.defines = ["STOWAGE_STATIC"]
            if self.settings.os == "Linux":
                self.cpp_info.system_libs = ["m", "pthread"]
